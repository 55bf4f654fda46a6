// The words of node:test with a time limit each: a test that hangs is one failure, and the next one begins.
import * as node from "node:test";

const limit = {timeout: 120_000};

// As in node:test: options may stand between the name and the body of a test, and behind the body of a hook.
export const {describe} = node;
export const test = (name, ...given) => node.test(name, {...limit, ...(given.length > 1 ? given[0] : {})}, given.at(-1));
export const before = (body, options) => node.before(body, {...limit, ...options});
export const after = (body, options) => node.after(body, {...limit, ...options});

// For a program that a test waits for: the clock of the test stands still meanwhile.
export const program = (seconds = 100) => ({timeout: seconds * 1000, killSignal: "SIGKILL"});
