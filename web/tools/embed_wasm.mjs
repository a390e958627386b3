// Puts the library, compiled to WebAssembly, into the built playground:  embed_wasm.mjs PROGRAM.wasm
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const page = new URL("../dist/playground.html", import.meta.url);
const text = readFileSync(page, "utf8");
const parts = text.split("fray-playground-wasm");
if (parts.length !== 2) throw new Error("the place for the library is missing in dist/playground.html");
writeFileSync(page, parts.join(gzipSync(readFileSync(process.argv[2]), { level: 9 }).toString("base64")));
