// The hash of everything that the built page follows from. tests/web/built_page_test.py computes the same in Python.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

const root = new URL("..", import.meta.url);
const files = ["package-lock.json", "package.json", "playground.html", "report.html", "tsconfig.json", "vite.config.js"];

/// Of a folder and those in it, as paths with "/".
function files_in(folder) {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files_in(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

export function sourcesHash() {
  const all = [...files, ...files_in("src")].sort();
  const hash = createHash("sha256");
  for (const name of all) hash.update(`${name}\0`).update(readFileSync(new URL(name, root))).update("\0");
  return hash.digest("hex");
}
