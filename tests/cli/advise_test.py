"""fray advise as a program: help, bad usage, bad files. What is measured is tested in tests/lab."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FRAY = os.environ["FRAY_BIN"]

UNMEASURED = """game = "Market"
[[entity]]
name = "goods"
type = "inventory"
situation = "trade"
[[entity]]
name = "talk"
type = "chat"
"""

MEASURED = """game = "Duel"
[[entity]]
name = "enemy"
type = "other_avatar"
interval_ms = 50
"""


class Advise(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="fray_advise_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "game.toml"
        self.file.write_text(UNMEASURED)

    def fray(self, *arguments):
        return subprocess.run([FRAY, "advise", *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, timeout=280)

    def cells(self, folder):
        """Name and time of every measured cell."""
        return {file.name: file.stat().st_mtime_ns for file in (self.folder / folder).iterdir()}

    def is_refused(self, *arguments, says):
        done = self.fray(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\Afray: [^\n]+\n\Z")
        self.assertIn(says, done.stderr)

    def test_help(self):
        done = self.fray("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("--network", "--cache", "--json", "--jobs", "Exit codes"):
            self.assertIn(word, done.stdout)

    def test_bad_usage(self):
        self.is_refused(says="FILE is required")
        self.is_refused(self.file, "--jobs", 0, says="--jobs")
        self.is_refused(self.file, "--network", "moon", says="--network: a network must be one of lan, same-continent")
        self.is_refused(self.file, "--network", "ping:/nowhere.txt", says="/nowhere.txt: cannot be read")
        self.is_refused(self.file, "--cache", self.file, says="--cache: ")
        self.is_refused(self.folder / "none.toml", says="none.toml: cannot be read")
        self.is_refused(self.file, "--json", "/proc/nowhere", says="--json: ")

    def test_an_output_that_cannot_be_written_is_said_before_anything_is_measured(self):
        self.file.write_text(MEASURED)
        for path in ("/proc/nowhere", self.folder / "none" / "advice.json", self.folder):
            with self.subTest(path):
                self.is_refused(self.file, "--network", "lan", "--cache", "cells", "--json", path, says="--json: ")
                self.assertEqual(self.cells("cells"), {})

    def test_nonsense_gets_the_line_and_the_fix(self):
        for old, new, says in (("type = \"chat\"", "type = \"chta\"", ":8:8: [[entity]] talk: type \"chta\" does not "
                                "exist; did you mean chat?"),
                               ("situation", "situaton", ":5:1: [[entity]] goods: unknown key situaton; did you mean "
                                "situation?"),
                               ("[[entity]]", "[[entity]", ":2:10: malformed TOML: ")):
            with self.subTest(new):
                self.file.write_text(UNMEASURED.replace(old, new, 1))
                self.is_refused(self.file, says=f"{self.file}{says}")
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["game.toml"])

    def test_what_needs_no_measuring(self):
        done = self.fray(self.file, "--json", "advice.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"goods +yes +TradeDesk\n")
        self.assertRegex(done.stdout, r"talk +yes +ChatRoom\n")
        advice = json.loads((self.folder / "advice.json").read_text())
        self.assertEqual([one["means"] for one in advice["advice"]], ["TradeDesk", "ChatRoom"])


if __name__ == "__main__":
    unittest.main()
