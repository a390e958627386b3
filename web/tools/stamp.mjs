// Writes the hash of all sources of the page beside the built one, for the test that compares them.
import { writeFileSync } from "node:fs";
import { sourcesHash } from "./sources_hash.mjs";

writeFileSync(new URL("../dist/report.sources.sha256", import.meta.url), `${sourcesHash()}\n`);
