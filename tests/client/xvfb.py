"""Games under Xvfb: a display of its own per player, keys and clicks by xdotool, and what the screen shows."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from pixels import read_xwd, write_png

FRAY = os.environ.get("FRAY_BIN", "")
WIDTH, HEIGHT = 640, 360
ACCENT = (255, 176, 0)


def near(colour, wanted, off=14):
    return all(abs(a - b) <= off for a, b in zip(colour, wanted))


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Screen:
    """A display of its own, with the pictures that it shows."""

    def __init__(self, folder):
        self.folder = folder
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", folder,
                                        "-nolisten", "tcp"], pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            self.display = ":" + numbers.readline().strip()

    def close(self):
        self.server.terminate()
        self.server.wait()

    def picture(self):
        return read_xwd(f"{self.folder}/Xvfb_screen0")

    def do(self, *words):
        subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": self.display}, check=True)

    def wait_for(self, condition, what, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            picture = self.picture()
            if condition(picture):
                return picture
            time.sleep(0.2)
        write_png(os.environ.get("FRAY_BINARY_DIR", self.folder) + "/window_test.png", self.picture())
        raise AssertionError(f"not seen within {seconds} s: {what}")


def count(picture, box, wanted, off=14):
    return sum(near(c, wanted, off) for c in picture.part(*box, step=2))


def middle(picture, box, wanted, off=14, step=1):
    """The mean place of the pixels of this colour, and their number."""
    x0, y0, x1, y1 = box
    found = [(x, y) for y in range(y0, y1, step) for x in range(x0, x1, step) if near(picture.at(x, y), wanted, off)]
    if not found:
        return None, 0
    return (sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)), len(found)


class GameTest(unittest.TestCase):
    """Starts games with settings of their own, and ends them."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="fray_window_")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def open_screen(self, name):
        folder = f"{self.folder}/{name}"
        Path(folder).mkdir()
        screen = Screen(folder)
        self.addCleanup(screen.close)
        return screen

    def configure(self, folder, lines):
        Path(folder, "fray").mkdir(parents=True, exist_ok=True)
        Path(folder, "fray", "panzer.conf").write_text("detail = low\n" + lines)

    def start(self, screen, *words, **more):
        environment = {**os.environ, "DISPLAY": screen.display, "XDG_CONFIG_HOME": screen.folder,
                       "SDL_AUDIODRIVER": "dummy", "LIBGL_ALWAYS_SOFTWARE": "1", **more}
        environment.pop("WAYLAND_DISPLAY", None)
        game = subprocess.Popen([FRAY, *words, "--width", str(WIDTH), "--height", str(HEIGHT)], env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, game)
        return game

    @staticmethod
    def end(game):
        if game.poll() is None:
            game.kill()
        if not game.stdout.closed:
            game.communicate()

    def finish(self, game, seconds=40):
        out, err = game.communicate(timeout=seconds)
        self.assertEqual(game.returncode, 0, err)
        return out


def run_tests():
    if not FRAY or not shutil.which("Xvfb") or not shutil.which("xdotool"):
        print("needs FRAY_BIN, Xvfb and xdotool (tools/setup test)")
        sys.exit(77)
    unittest.main()
