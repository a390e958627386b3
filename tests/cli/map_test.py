"""fray map: what it prints, what it refuses (one line, exit code 2), and that it overwrites nothing."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

FRAY = os.environ["FRAY_BIN"]
SMALL = "// small\nmap small\ncell 8\ngrid\n1.D.2\n..i.F\nend\n"


class Map(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="fray_map_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.write(SMALL)

    def write(self, text, name="small.map"):
        (self.folder / name).write_text(text)

    def fray(self, *arguments):
        return subprocess.run([FRAY, "map", *arguments], capture_output=True, text=True, cwd=self.folder, timeout=60)

    def succeeds(self, *arguments):
        done = self.fray(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def is_refused(self, *arguments, says):
        done = self.fray(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\Afray: [^\n]+\n\Z")
        self.assertIn(says, done.stderr)

    def test_check_prints_what_a_map_holds(self):
        self.assertEqual(self.succeeds("check", "small.map"),
                         "small: 40 m by 16 m, 5 by 2 cells of 8 m\n"
                         "tanks: 8 (spawn points of team 1: 4, of team 2: 4, of both: 0)\n"
                         "items: 1\ndoors: 1\nflags: 1\nreachable: 10 of 10 cells without a wall\n")

    def test_shipped_maps_need_no_file(self):
        for name in ("arena", "duel", "plains", "ruins"):
            done = self.fray("check", name)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(done.stdout.startswith(f"{name}: The "))

    def test_check_refuses_what_cannot_be_played(self):
        self.write(SMALL.replace(".D.", ".x."))
        self.is_refused("check", "small.map", says="small.map:5:3: unknown character 'x' (known: . ^ #")
        self.write(SMALL.replace(".D.", ".#.").replace("..i.", "..#."))
        self.is_refused("check", "small.map", says="small.map:5:5: expected a way from every spawn point")
        self.write("map a\ngrid\nss#F\nend\n")
        self.is_refused("check", "small.map", says="small.map:3:4: expected a way from every spawn point to the flag")
        self.is_refused("check", "moon", says='unknown map "moon" (known: arena, duel, plains, ruins)')
        self.is_refused("check", "nowhere.map", says="nowhere.map: cannot be read")
        self.is_refused("check", "/", says="/: cannot be read")
        self.is_refused(says="a command is missing (fray map --help")
        self.is_refused("check", says="MAP is required")

    def test_check_warns_of_an_item_behind_walls(self):
        self.write("map a\ngrid\nssF#i\nend\n")
        done = self.fray("check", "small.map")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr,
                         "fray: warning: small.map:3:5: no tank can reach this item: walls enclose it\n")

    def test_show_draws_and_never_overwrites_silently(self):
        self.assertEqual(self.succeeds("show", "duel"), "duel.svg\n")
        picture = self.folder / "duel.svg"
        self.assertTrue(xml.etree.ElementTree.parse(picture).getroot().tag.endswith("svg"))
        self.assertTrue(re.search("spawn point of team 1", picture.read_text()))
        picture.write_text("mine")
        self.is_refused("show", "duel", says="--out: duel.svg exists (--force overwrites it)")
        self.assertEqual(picture.read_text(), "mine")
        self.succeeds("show", "duel", "--force")
        self.assertNotEqual(picture.read_text(), "mine")
        self.assertEqual(self.succeeds("show", "small.map", "--out", "other.svg"), "other.svg\n")
        self.is_refused("show", "small.map", "--out", "other.jpg", says="expected a file name that ends with .svg")
        self.is_refused("show", "small.map", "--out", "no/folder/x.svg", says="--out: no/folder")
        self.assertFalse((self.folder / "no").exists())


if __name__ == "__main__":
    unittest.main()
