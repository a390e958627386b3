"""tools/run_wasm.mjs: passes on the exit code of a WebAssembly command, and says in one line what is wrong."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUN_WASM = Path(os.environ["FRAY_SOURCE_DIR"]) / "tools" / "run_wasm.mjs"
NODE = shutil.which("node")

CALL_PROC_EXIT = bytes([0x41, 3, 0x10, 0])  # i32.const 3, call 0
TRAP = bytes([0x00])  # unreachable


def section(number, *contents):
    body = bytes([len(contents)]) + b"".join(contents)
    return bytes([number, len(body)]) + body


def name(text):
    return bytes([len(text)]) + text.encode()


def command(code, start="_start"):
    """A module that imports proc_exit and runs `code`."""
    function = bytes([len(code) + 2, 0]) + code + bytes([0x0B])
    return b"".join([
        b"\0asm\1\0\0\0",
        section(1, bytes([0x60, 1, 0x7F, 0]), bytes([0x60, 0, 0])),  # types: (i32) -> (), () -> ()
        section(2, name("wasi_snapshot_preview1") + name("proc_exit") + bytes([0, 0])),
        section(3, bytes([1])),
        section(5, bytes([0, 1])),
        section(7, name("memory") + bytes([2, 0]), name(start) + bytes([0, 1])),
        section(10, function),
    ])


class RunWasm(unittest.TestCase):
    def run_wasm(self, *arguments):
        return subprocess.run([NODE, RUN_WASM, *arguments], capture_output=True, text=True, timeout=60)

    def run_bytes(self, data):
        with tempfile.NamedTemporaryFile(suffix=".wasm") as file:
            file.write(data)
            file.flush()
            return self.run_wasm(file.name)

    def assert_refused(self, done, code, message):
        self.assertEqual((done.returncode, done.stdout), (code, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(message, done.stderr)

    def test_the_exit_code_is_passed_on(self):
        done = self.run_bytes(command(CALL_PROC_EXIT))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "", ""))
        self.assertEqual(self.run_bytes(command(b"")).returncode, 0)

    def test_a_trap_is_an_error(self):
        self.assert_refused(self.run_bytes(command(TRAP)), 134, "trapped: unreachable")

    def test_bad_usage(self):
        self.assert_refused(self.run_wasm(), 2, "usage: ")
        self.assert_refused(self.run_wasm("/nowhere.wasm"), 2, "/nowhere.wasm: cannot be read: ENOENT")
        self.assert_refused(self.run_bytes(b"#!/bin/sh\n"), 2, "not WebAssembly")
        self.assert_refused(self.run_bytes(command(CALL_PROC_EXIT, start="other")), 2, "exports no _start")


if __name__ == "__main__":
    if NODE is None:
        print("left out: no node here")
        sys.exit(77)
    unittest.main()
