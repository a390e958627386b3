// The hash of everything that the built page follows from. tests/web/built_page_test.py computes the same in Python.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

const root = new URL("..", import.meta.url);
const files = ["package-lock.json", "package.json", "report.html", "tsconfig.json", "vite.config.js"];

export function sourcesHash() {
  const all = [...files, ...readdirSync(new URL("src", root)).map((name) => `src/${name}`)].sort();
  const hash = createHash("sha256");
  for (const name of all) hash.update(`${name}\0`).update(readFileSync(new URL(name, root))).update("\0");
  return hash.digest("hex");
}
