"""./run: says first how long the first build takes, builds only the program, and leaves standard output to it."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["FRAY_SOURCE_DIR"])
# Stands in for cmake: notes its arguments, configures by a file, and builds a program that prints its arguments.
CMAKE = """#!/bin/sh
echo "$*" >> "$CMAKE_LOG"
cd "$FRAY_TREE" && mkdir -p build/release/cli
case $1 in
  --preset) touch build/release/build.ninja ;;
  --build) printf '#!/bin/sh\\necho "fray $*"\\n' > build/release/cli/fray; chmod +x build/release/cli/fray ;;
esac
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.tree = Path(tempfile.mkdtemp(prefix="fray_run_")).resolve()
        self.addCleanup(shutil.rmtree, self.tree)
        (self.tree / "tools").mkdir()
        (self.tree / "bin").mkdir()
        for name in ("run", "tools/common.sh", "CMakePresets.json"):
            shutil.copy(SOURCE / name, self.tree / name)
        self.script("tools/setup", "#!/bin/sh\n")
        self.script("bin/cmake", CMAKE)
        self.log = self.tree / "cmake.log"

    def script(self, name, text):
        (self.tree / name).write_text(text)
        (self.tree / name).chmod(0o755)

    def environment(self):
        return {**os.environ, "PATH": f"{self.tree / 'bin'}:{os.environ['PATH']}", "FRAY_TREE": str(self.tree),
                "CMAKE_LOG": str(self.log)}

    def run_it(self, *arguments, expect=0):
        done = subprocess.run([self.tree / "run", *arguments], capture_output=True, text=True, timeout=60,
                              env=self.environment())
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def test_the_first_line_says_how_long_the_first_build_takes(self):
        first = self.run_it("--help")
        self.assertRegex(first.stderr, r"\ABuilding Fray for the first time: about \d+ minutes on two cores\.\n")
        self.assertEqual(first.stdout, "fray --help\n")
        again = self.run_it("lab", "list")
        self.assertEqual((again.stdout, again.stderr), ("fray lab list\n", ""))

    def test_it_builds_the_program_and_nothing_else(self):
        self.run_it("--help")
        configured, built = self.log.read_text().splitlines()
        self.assertEqual(configured, "--preset release")
        self.assertRegex(built, r"--target fray$")

    def test_without_arguments_it_runs_a_battle_and_says_what_else_to_try(self):
        done = self.run_it()
        self.assertEqual(done.stdout, "fray play --headless --udp --bots 16 --seconds 30\n")
        self.assertIn("\nWhat else to try:\n", done.stderr)
        self.assertIn("  ./run lab run all --quick ", done.stderr)

    def test_the_exit_code_is_that_of_the_battle(self):
        self.run_it("--help")
        for code, says_more in ((1, True), (130, False)):
            self.script("bin/cmake", f"#!/bin/sh\nprintf '#!/bin/sh\\nexit {code}\\n' > "
                        "\"$FRAY_TREE\"/build/release/cli/fray\n")
            done = self.run_it(expect=code)
            self.assertEqual("What else to try" in done.stderr, says_more)

    def test_the_battle_ends_with_the_script(self):
        self.run_it("--help")
        self.script("bin/cmake", "#!/bin/sh\nprintf '#!/bin/sh\\necho $$\\nexec sleep 600\\n' > "
                    "\"$FRAY_TREE\"/build/release/cli/fray\n")
        script = subprocess.Popen([self.tree / "run"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  env=self.environment())
        battle = int(script.stdout.readline())
        script.kill()
        self.assertEqual(script.communicate(timeout=30)[0], "")  # the end of its output: the battle has ended
        self.assertFalse(Path(f"/proc/{battle}/exe").exists())


if __name__ == "__main__":
    unittest.main()
