"""fray advise as a program: help, bad usage, bad files, and the shooter of examples/ as a whole."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FRAY = os.environ["FRAY_BIN"]
EXAMPLES = Path(os.environ["FRAY_SOURCE_DIR"]) / "examples"

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

    def test_a_network_over_which_nobody_can_play_meets_nothing(self):
        self.file.write_text(MEASURED)
        pings = self.folder / "pings.txt"
        pings.write_text("PING x (1.2.3.4) 56(84) bytes of data.\n" + "".join(f"64 bytes from x (1.2.3.4): icmp_seq={i} ttl=57 time=24000 ms\n"
                                 for i in range(1, 201)))
        done = self.fray(self.file, "--network", f"ping:{pings}", "--json", "advice.json")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("median latency 12000 ms one way", done.stdout)
        self.assertRegex(done.stdout, r"enemy +NO +none is playable")
        self.assertIn("not playable over this network in 10 of 10 recordings: the players never saw each other",
                      done.stdout)
        self.assertIn("6.1.3 requires a remote lag of 24100 ms here", done.stdout)
        advice = json.loads((self.folder / "advice.json").read_text())
        self.assertFalse(advice["met"])
        self.assertFalse(advice["advice"][0]["playable"])

    @unittest.skipIf(os.environ.get("FRAY_SANITIZE"), "540 games take too long there; tests/lab measures some cells")
    def test_the_shooter_is_advised_by_what_was_measured_and_then_by_what_is_known(self):
        arguments = (EXAMPLES / "shooter.toml", "--network", "same-continent", "--cache", "cells")
        done = self.fray(*arguments, "--json", "first.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        cells = self.cells("cells")
        self.assertEqual(len(cells), 54)  # 27 candidates, with and without shots
        advice = json.loads((self.folder / "first.json").read_text())
        self.assertTrue(advice["met"])
        measured = [one for one in advice["advice"] if "measured" in one]
        self.assertEqual(len(measured), 6)
        for one in measured:
            with self.subTest(one["entities"]):
                figures = one["measured"]
                for name in ("response_ms", "propagation_ms", "state_divergence", "animation_ms", "shape_divergence"):
                    self.assertGreater(figures[name], 0, name)
                for name, allowed in one["allowed"].items():
                    self.assertLessEqual(figures[name], allowed, name)
                self.assertGreater(figures["inputs"], 25_000)
                self.assertGreater(figures["viewer_frames"], 25_000)
                self.assertEqual(figures["inputs_unseen"], 0)
                # 5 to 20 updates a second of 60 to 130 bytes with headers, and shots: one entity, one viewer.
                updates = 1000 / one["interval_ms"]
                self.assertGreater(figures["kbps"], updates * 60 * 8 / 1000)
                self.assertLess(figures["kbps"], updates * 130 * 8 / 1000 + 4)
        soldier = measured[0]
        self.assertEqual(soldier["entities"], ["own soldier", "enemy soldier"])
        self.assertEqual(soldier["algorithm"], "half_life")
        self.assertGreater(soldier["measured"]["decisions"], 900)
        again = self.fray(*arguments, "--json", "again.json")
        self.assertEqual((again.returncode, again.stdout), (0, done.stdout))
        self.assertEqual(again.stderr, "")  # no progress to show
        self.assertEqual(self.cells("cells"), cells)
        self.assertEqual((self.folder / "again.json").read_bytes(), (self.folder / "first.json").read_bytes())

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
