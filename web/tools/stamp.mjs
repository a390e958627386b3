// Writes the hash of all sources of the pages beside the built ones, for the test that compares them.
import { writeFileSync } from "node:fs";
import { sourcesHash } from "./sources_hash.mjs";

writeFileSync(new URL("../dist/sources.sha256", import.meta.url), `${sourcesHash()}\n`);
