#!/usr/bin/env node
// Runs a WebAssembly command (WASI preview 1) with node 18.20 or later, and ends with its exit code:
//   tools/run_wasm.mjs PROGRAM.wasm [ARGUMENT]...
// The program sees standard input and output and its arguments, but no files and no environment.
import {readFile} from 'node:fs/promises';
import {basename} from 'node:path';

const kTrapped = 134; // what a shell shows for a native program that called abort()

function give_up(code, message) {
  process.stderr.write(`run_wasm: ${message}\n`);
  process.exit(code);
}

process.removeAllListeners('warning'); // node calls WASI experimental on every start
const {WASI} = await import('node:wasi')
  .catch(() => give_up(2, `node ${process.version} has no WASI: use node 18.20 or later`));

const [path, ...rest] = process.argv.slice(2);
if (path === undefined || path.startsWith('-')) give_up(2, 'usage: run_wasm.mjs PROGRAM.wasm [ARGUMENT]...');
const bytes = await readFile(path).catch((error) => give_up(2, `${path}: cannot be read: ${error.code}`));
const module = await WebAssembly.compile(bytes)
  .catch((error) => give_up(2, `${path}: not WebAssembly: ${error.message}`));

const wasi = new WASI({version: 'preview1', args: [basename(path), ...rest], returnOnExit: true});
const instance = await WebAssembly.instantiate(module, {wasi_snapshot_preview1: wasi.wasiImport})
  .catch((error) => give_up(2, `${path}: cannot be linked: ${error.message}`));
if (!(instance.exports._start instanceof Function)) give_up(2, `${path}: no command: it exports no _start`);
try {
  process.exitCode = wasi.start(instance);
} catch (error) {
  give_up(kTrapped, `${path}: trapped: ${error.message}`);
}
