#!/usr/bin/env python3
"""What docs/architecture.md says of the size of Session is what tools/tidy counts."""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("FRAY_SOURCE_DIR", Path(__file__).resolve().parents[2]))


def after(row):
    """The first number in the last cell of a row of "Session before and after"."""
    page = (ROOT / "docs/architecture.md").read_text()
    line = re.search(rf"^\| {re.escape(row)} \|.*\| ([\d,]+)[^|]*\|$", page, re.M)
    return int(line.group(1).replace(",", ""))


class Session(unittest.TestCase):
    def test_its_methods_members_and_files_are_as_counted(self):
        printed = subprocess.run([sys.executable, ROOT / "tools/tidy", "--classes"], capture_output=True, text=True,
                                 check=True)
        counted = re.search(r"^\| `Session` \| (\d+) \| (\d+) \| (\d+) \|", printed.stdout, re.M)
        self.assertEqual([int(count) for count in counted.groups()],
                         [after("methods of `Session`"), after("data members of `Session`"),
                          after("source files that define them")])

    def test_its_lines_are_as_counted_within_a_twentieth(self):
        lines = sum(path.read_text().count("\n") for path in (ROOT / "src/session").glob("*.?pp"))
        self.assertAlmostEqual(lines, after("lines in `src/session`"), delta=lines / 20)


if __name__ == "__main__":
    unittest.main()
