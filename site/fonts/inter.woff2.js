// The site's one font file, from the package that carries it.
import {readFileSync} from "node:fs";

process.stdout.write(readFileSync("node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));
