"""tools/fuzz: refuses invalid arguments before it builds, and ends with one row per target."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ["FRAY_SOURCE_DIR"])


class Fuzz(unittest.TestCase):
    """A copy of the script with two stand-in targets; nothing is built or installed."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="fray_fuzz_"))
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("tools", "fuzz", "build/fuzz/fuzz", "bin"):
            (self.root / folder).mkdir(parents=True)
        for name in ("fuzz", "common.sh"):
            shutil.copy(ROOT / "tools" / name, self.root / "tools" / name)
        (self.root / "CMakePresets.json").touch()
        (self.root / "build/fuzz/build.ninja").touch()
        self.script("tools/setup", "exit 0")
        self.script("bin/cmake", "exit 0")
        for name in ("quiet", "loud"):
            (self.root / f"fuzz/{name}_fuzz.cpp").touch()
        self.script("build/fuzz/fuzz/fuzz_quiet", "echo 'stat::number_of_executed_units: 1200'")
        self.script("build/fuzz/fuzz/fuzz_loud", "echo 'stat::number_of_executed_units: 7'; echo BOOM; exit 77")

    def script(self, path, text):
        file = self.root / path
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def fuzz(self, *arguments):
        path = f"{self.root / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(["bash", self.root / "tools/fuzz", *arguments], capture_output=True, text=True,
                              env={**os.environ, "PATH": path}, timeout=60)

    def test_a_wrong_time_is_named(self):
        for wrong in ("soon", "-3", "0", "1.5"):
            done = self.fuzz(wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""), wrong)
            self.assertIn("is no number of seconds", done.stderr)

    def test_an_unknown_target_is_named_with_the_known_ones(self):
        done = self.fuzz("1", "quiet", "qiet")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "tools/fuzz: no target 'qiet' (known: loud quiet)\n")

    def test_the_table_has_a_row_for_each_target_and_a_finding_fails_the_run(self):
        done = self.fuzz("1")
        rows = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(rows[0], ["target", "executions", "per-second", "findings"])
        self.assertEqual([(r[0], r[1], r[3]) for r in rows[1:]], [("loud", "7", "1"), ("quiet", "1200", "0")])
        self.assertEqual(done.returncode, 1)
        self.assertIn("BOOM", done.stderr)

    def test_without_a_finding_the_run_succeeds(self):
        done = self.fuzz("1", "quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 2)


if __name__ == "__main__":
    unittest.main()
