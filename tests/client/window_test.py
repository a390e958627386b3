#!/usr/bin/env python3
"""The window under Xvfb: start, drive, shoot, panels, chat, another algorithm, quit; settings survive; two
clients fight and their scoreboards agree; what goes wrong is told in a sentence. (xvfb.py starts games and displays, pixels.py reads the screen.)"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
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


def said(picture, lines):
    """Whether so many announcements stand beside the switches."""
    return all(count(picture, (214, 300 - 12 * i, 420, 311 - 12 * i), ACCENT, 60) > 15 for i in range(lines))


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
        screen.do("mousemove", "70", "212", "click", "1")  # another algorithm: local lag
        screen.wait_for(lambda p: count(p, (18, 222, 122, 290), (245, 242, 234), 40) > 40, "the list of algorithms")
        screen.do("mousemove", "40", "261", "click", "1")
        screen.wait_for(lambda p: said(p, 1), "the announcement of the algorithm")
        screen.do("mousemove", "20", "245", "click", "1")  # focus sets
        screen.wait_for(lambda p: said(p, 2), "the announcement of the focus sets")
        screen.do("mousemove", "20", "273", "mousedown", "1", "mousemove", "45", "273")  # added delay
        time.sleep(0.5)
        screen.do("mouseup", "1")
        screen.wait_for(lambda p: said(p, 3), "the announcement of the delay")
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
        words = ["--attract", "--seconds", "40", "--quit-after", "46"]
        host = self.start("--host", str(port), *words)
        time.sleep(1.5)
        guest = self.start("--join", f"127.0.0.1:{port}", *words, XDG_CONFIG_HOME=other)
        tables = [self.finish(game, 90) for game in (host, guest)]
        rows = [[line.replace("gone", "").split() for line in table.splitlines() if "Host" in line or "Guest" in line]
                for table in tables]
        self.assertEqual(len(rows[0]), 2, tables[0])
        self.assertEqual(rows[0], rows[1])
        deaths = sum(int(row[4]) for row in rows[0])  # rank, name, score, kills, deaths
        self.assertGreater(deaths, 0, rows[0])

    def test_a_lost_connection_is_told_and_the_score_is_kept(self):
        port = free_port()
        self.configure(self.screen.folder, "name = Host\nbots = 0\nmap = duel\n")
        other = self.open_screen("other")
        self.configure(other.folder, "name = Guest\nbots = 0\nmap = duel\n")
        host = self.start("--host", str(port), "--attract", "--quit-after", "60")
        time.sleep(1.5)
        guest = GameTest.start(self, other, "play", "--join", f"127.0.0.1:{port}", "--attract", "--quit-after", "32")
        other.wait_for(has_bars, "the battle")
        time.sleep(2)
        host.send_signal(signal.SIGKILL)
        out, err = guest.communicate(timeout=60)
        self.assertIn("fray: The connection to all other players was lost.", err)
        self.assertIn("Guest", out)

    def test_the_battle_goes_on_while_the_window_is_resized_and_minimised(self):
        game = self.start("--begin", "--quit-after", "20")
        screen = self.screen
        screen.wait_for(has_bars, "the battle")
        screen.do("search", "--name", "Panzer", "windowsize", "%@", "560", "320")
        time.sleep(1.5)
        screen.do("search", "--name", "Panzer", "windowunmap", "%@")
        screen.wait_for(lambda p: not has_bars(p) and p.at(300, 200) == (0, 0, 0), "an empty screen")
        time.sleep(1)
        screen.do("search", "--name", "Panzer", "windowmap", "%@")
        screen.wait_for(lambda p: p.at(300, 160) != (0, 0, 0), "the battle again")
        self.finish(game)
        self.assertIn("width = 560", Path(screen.folder, "fray", "panzer.conf").read_text())

    def test_without_an_audio_device_the_game_goes_on(self):
        game = self.start("--begin", "--quit-after", "60", SDL_AUDIODRIVER="nosuchdriver")
        self.screen.wait_for(has_bars, "the battle")
        self.assertIsNone(game.poll())

    def test_a_map_from_a_file_is_played(self):
        text = Path(os.environ["FRAY_SOURCE_DIR"], "games", "panzer", "maps", "duel.map").read_text()
        Path(self.folder, "mine.map").write_text(text.replace("map duel", "map mine"))
        game = self.start("--begin", "--bots", "2", "--map", f"{self.folder}/mine.map", "--quit-after", "60")
        self.screen.wait_for(has_bars, "the battle")
        self.assertIsNone(game.poll())

    def is_told(self, sentence, *words):
        game = self.start(*words)
        _, err = game.communicate(timeout=40)
        self.assertEqual(game.returncode, 2, err)
        self.assertRegex(err, sentence)

    def test_a_port_in_use_is_told_in_a_sentence(self):
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as taken:
            taken.bind(("::", 0))
            port = taken.getsockname()[1]
            self.is_told(rf"fray: Port {port} cannot be used .*Choose another one", "--host", str(port), "--quit-after", "3")

    def test_an_address_that_does_not_answer_is_told_in_a_sentence(self):
        port = free_port()
        self.is_told(rf"fray: Nobody answers at 127\.0\.0\.1:{port}\.", "--join", f"127.0.0.1:{port}", "--quit-after", "20")

    def test_a_word_that_is_no_address_is_told_in_a_sentence(self):
        self.is_told(r'fray: "nonsense" is no address to join: .*192\.168', "--join", "nonsense", "--quit-after", "3")

    def test_a_wrong_map_is_told_in_a_sentence(self):
        self.is_told(r"fray: .*nowhere.*arena", "--begin", "--map", "nowhere")

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
