#!/usr/bin/env python3
"""The window under Xvfb: start, drive, shoot, panels, chat, another algorithm, quit; settings survive; two
clients fight and their scoreboards agree; what goes wrong is told in a sentence. (pixels.py reads the screen.)"""
import os
import re
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from xvfb import ACCENT, FRAY, WIDTH, GameTest, count, free_port, run_tests  # noqa: E402


def menu_is_open(picture):
    return count(picture, (20, 86, 175, 110), ACCENT) > 300


def has_bars(picture):  # armour: green, or red when it is low
    return count(picture, (11, 335, 130, 350), (63, 174, 90)) + count(picture, (11, 335, 130, 350), (229, 72, 77)) > 30


def panel_is_open(picture):
    return count(picture, (484, 8, 560, 24), ACCENT, 60) > 8


class Window(GameTest):
    def setUp(self):
        super().setUp()
        self.screen = self.open_screen("screen")
        self.configure(self.screen.folder, "")

    def start(self, *words, **more):
        return super().start(self.screen, "play", *words, **more)

    def test_a_player_drives_shoots_opens_panels_talks_and_quits(self):
        record = f"{self.folder}/screen.fray"
        game = self.start("--record", record, "--quit-after", "90")
        screen = self.screen
        screen.wait_for(menu_is_open, "the menu")
        screen.do("key", "Return")
        screen.wait_for(lambda p: not menu_is_open(p) and has_bars(p), "the battle")
        screen.do("keydown", "w", "mousedown", "1")
        time.sleep(2.5)
        screen.do("keyup", "w", "mouseup", "1")
        screen.do("key", "F1")
        screen.wait_for(panel_is_open, "the network panel")
        screen.do("mousemove", "100", "283", "click", "1")  # another algorithm: the third one of the list
        screen.wait_for(lambda p: count(p, (16, 205, 150, 270), (245, 242, 234), 40) > 40, "the list of algorithms")
        screen.do("mousemove", "60", "235", "click", "1")
        screen.wait_for(lambda p: count(p, (12, 240, 200, 260), ACCENT, 60) > 20, "the announcement of the change")
        screen.do("key", "F1")
        screen.wait_for(lambda p: not panel_is_open(p), "the panel is closed")
        screen.do("key", "F2")
        screen.wait_for(lambda p: count(p, (8, 105, 148, 180), (232, 63, 200), 30) > 2, "the legend of the overlay")
        screen.do("key", "F2")
        screen.do("key", "Return")
        time.sleep(0.5)
        screen.do("type", "hello")
        screen.do("key", "Return")
        # Letters are too small here to be told from sand: the dark strip behind them.
        screen.wait_for(lambda p: count(p, (12, 299, 60, 312), (100, 95, 85), 40) > 60, "the chat line")
        screen.do("key", "Escape")
        screen.wait_for(menu_is_open, "the menu over the battle")
        self.assertEqual(game.poll(), None)
        screen.do("mousemove", "100", "165", "click", "1")  # Quit
        out = self.finish(game)
        self.assertIn("Player", out)
        steps = subprocess.run([FRAY, "replay", record], capture_output=True, text=True, check=True).stdout
        self.assertIn("16 tanks", steps)
        row = next(line.split() for line in out.splitlines() if "Player" in line)
        self.assertNotEqual(row[5], "-", out)  # accuracy: it fired

    def test_settings_survive(self):
        game = self.start("--quit-after", "60")
        self.screen.wait_for(menu_is_open, "the menu")
        self.screen.do("mousemove", "100", "188", "click", "1")  # Settings
        time.sleep(0.6)
        self.screen.do("mousemove", "27", "147", "click", "1")   # Camera shakes
        time.sleep(0.6)
        self.screen.do("key", "Escape")
        self.screen.wait_for(menu_is_open, "the menu again")
        self.screen.do("mousemove", "100", "210", "click", "1")  # Quit
        self.finish(game)
        kept = Path(self.screen.folder, "fray", "panzer.conf").read_text()
        self.assertIn("shake = no", kept)
        self.assertIn(f"width = {WIDTH}", kept)

    def test_two_clients_fight_and_their_scoreboards_agree(self):
        port = free_port()
        self.configure(self.screen.folder, "name = Host\nbots = 0\nmap = duel\n")
        other = f"{self.folder}/other"
        self.configure(other, "name = Guest\nbots = 0\nmap = duel\n")
        words = ["--attract", "--seconds", "20", "--quit-after", "26"]
        host = self.start("--host", str(port), *words)
        time.sleep(1.5)
        guest = self.start("--join", f"127.0.0.1:{port}", *words, XDG_CONFIG_HOME=other)
        tables = [self.finish(game, 60) for game in (host, guest)]
        rows = [[line.replace("gone", "").split() for line in table.splitlines() if "Host" in line or "Guest" in line]
                for table in tables]
        self.assertEqual(len(rows[0]), 2, tables[0])
        self.assertEqual(rows[0], rows[1])
        deaths = sum(int(row[4]) for row in rows[0])  # rank, name, score, kills, deaths
        self.assertGreater(deaths, 0, rows[0])


    def test_a_driver_without_opengl_3_is_told_in_one_sentence(self):
        game = self.start(MESA_GL_VERSION_OVERRIDE="2.1")
        _, err = game.communicate(timeout=30)
        self.assertEqual(game.returncode, 2)
        self.assertRegex(err, r"^fray: the window needs OpenGL 3\.3.*--headless")


class Trouble(unittest.TestCase):
    def run_game(self, *words, **more):
        folder = tempfile.mkdtemp(prefix="fray_window_")
        self.addCleanup(shutil.rmtree, folder, True)
        environment = {**os.environ, "XDG_CONFIG_HOME": folder, "DISPLAY": ":9999", **more}
        return subprocess.run([FRAY, "play", *words], env=environment, capture_output=True, text=True, timeout=60)

    def test_a_display_that_cannot_be_opened_is_told_in_one_sentence(self):
        ended = self.run_game()
        self.assertEqual(ended.returncode, 2)
        self.assertRegex(ended.stderr, r"(?m)^fray: no window can be opened here: .*--headless")

    def test_a_file_that_is_no_recording_is_named(self):
        ended = self.run_game("--replay", __file__, "--screenshot", "/dev/null")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("window_test.py", ended.stderr)


if __name__ == "__main__":
    run_tests()
