"""tools/setup: reports missing packages that it cannot install, and is silent if none is missing."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(os.environ["FRAY_SOURCE_DIR"]) / "tools" / "setup"
ALL_INSTALLED = 'shift 3; for name in "$@"; do echo "ii $name"; done'
NO_CMAKE = 'shift 3; for name in "$@"; do [ "$name" = cmake ] || echo "ii $name"; done; exit 1'
NO_NODEJS = NO_CMAKE.replace("cmake", "nodejs")
NOT_EXPECTED = 'echo "not expected: $0 $*" >&2; exit 99'


class Setup(unittest.TestCase):
    """Nothing real can be installed: the search path holds a few harmless tools and stand-ins."""

    def setUp(self):
        self.tools = Path(tempfile.mkdtemp(prefix="fray_setup_"))
        self.addCleanup(shutil.rmtree, self.tools)
        for name in ("bash", "sed", "grep", "sort", "env", "mktemp", "rm", "tail"):
            (self.tools / name).symlink_to(shutil.which(name))
        self.stand_in("id", "echo 1000")
        self.stand_in("apt-get", NOT_EXPECTED)

    def stand_in(self, name, script):
        file = self.tools / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def setup(self, *groups):
        return subprocess.run([self.tools / "bash", SETUP, *groups], capture_output=True, text=True,
                              env={"PATH": str(self.tools)}, timeout=60)

    def test_without_root_and_sudo_it_names_what_is_missing(self):
        self.stand_in("dpkg-query", NO_CMAKE)
        done = self.setup("build")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "tools/setup: these packages are missing, and neither root nor sudo is at hand "
                                      "to install them:\n  cmake\n")

    def test_sudo_is_used_where_it_is(self):
        self.stand_in("dpkg-query", NO_CMAKE)
        self.stand_in("sudo", 'echo "asked: $*" >&2; exit 1')
        done = self.setup("build")
        self.assertEqual(done.returncode, 2)
        self.assertIn("Installing 1 packages: cmake\n", done.stderr)
        self.assertIn("asked: env apt-get update -q\n", done.stderr)
        self.assertIn("tools/setup: apt-get could not install: cmake\n", done.stderr)

    def test_where_nothing_is_missing_it_is_silent(self):
        self.stand_in("dpkg-query", ALL_INSTALLED)
        done = self.setup("all")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_nodejs_is_wanted_only_where_there_is_no_node(self):
        self.stand_in("dpkg-query", NO_NODEJS)
        self.assertTrue(self.setup("test").stderr.endswith("\n  nodejs\n"))
        self.stand_in("node", NOT_EXPECTED)
        done = self.setup("test")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_an_unknown_group_is_refused(self):
        done = self.setup("everything")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("unknown group 'everything'", done.stderr)


if __name__ == "__main__":
    unittest.main()
