#!/usr/bin/env python3
"""Snagger under Xvfb: two players at one keyboard, and two over the network."""
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from xvfb import ACCENT, GameTest, count, free_port, middle, run_tests  # noqa: E402

SHIPS = ((255, 176, 0), (43, 217, 232))
LEFT, RIGHT = (11, 26, 314, 252), (326, 26, 629, 252)  # the screens of the two players


def menu_is_open(picture):
    return count(picture, (20, 86, 175, 110), ACCENT) > 300


def game_is_open(picture):
    return all(middle(picture, box, ship, 30)[1] > 8 for box in (LEFT, RIGHT) for ship in SHIPS)


class Snagger(GameTest):
    def setUp(self):
        super().setUp()
        self.screen = self.open_screen("screen")

    def place(self, box, ship):
        return middle(self.screen.picture(), box, SHIPS[ship], 30)[0]

    def test_two_players_at_one_keyboard_steer_both_ships_on_both_screens(self):
        game = self.start(self.screen, "snag", "--quit-after", "60")
        self.screen.wait_for(menu_is_open, "the menu")
        self.screen.do("key", "Return")
        self.screen.wait_for(game_is_open, "both ships on both screens")
        before = [[self.place(box, ship) for ship in (0, 1)] for box in (LEFT, RIGHT)]

        def have_flown_up(picture):
            places = [[middle(picture, box, ship, 30)[0] for ship in SHIPS] for box in (LEFT, RIGHT)]
            return all(now and now[1] < then[1] - 10 for nows, thens in zip(places, before) for now, then in zip(nows, thens))

        self.screen.do("keydown", "w", "keydown", "Up")
        self.screen.wait_for(have_flown_up, "both ships fly up on both screens", 15)
        self.screen.do("keyup", "w", "keyup", "Up", "key", "space", "key", "Control_R")
        self.assertIsNone(game.poll())
        self.screen.do("key", "Escape")
        self.screen.wait_for(menu_is_open, "the menu over the game")
        self.screen.do("mousemove", "100", "145", "click", "1")  # Quit
        self.assertRegex(self.finish(game), r"caught: \d+ in \d+ s")

    def test_the_algorithm_is_changed_in_the_window_and_told(self):
        game = self.start(self.screen, "snag", "--begin", "--quit-after", "60")
        self.screen.wait_for(game_is_open, "both ships on both screens")
        self.screen.do("mousemove", "170", "274", "click", "1")
        time.sleep(0.5)
        self.screen.do("mousemove", "170", "318", "click", "1")  # local lag, the third one
        for box in (LEFT, RIGHT):
            notice = (box[0] + 20, box[3] - 24, box[2] - 20, box[3] - 4)
            self.screen.wait_for(lambda p: count(p, notice, ACCENT, 60) > 20, "the announcement on both screens")
        self.assertIsNone(game.poll())

    def test_two_over_the_network_catch_together(self):
        port = free_port()
        host = self.start(self.screen, "snag", "--host", str(port), "--pilots", "--quit-after", "32")
        time.sleep(1)
        other = self.open_screen("other")
        guest = self.start(other, "snag", "--join", f"127.0.0.1:{port}", "--pilots", "--delay", "20", "--quit-after", "40")
        caught = [int(re.search(r"caught: (\d+)", self.finish(game, 60)).group(1)) for game in (host, guest)]
        self.assertGreater(caught[0], 0)
        self.assertEqual(caught[0], caught[1])

    def test_a_game_that_is_not_there_is_told_in_a_sentence(self):
        game = self.start(self.screen, "snag", "--join", f"127.0.0.1:{free_port()}", "--quit-after", "20")
        _, err = game.communicate(timeout=40)
        self.assertEqual(game.returncode, 2)
        self.assertRegex(err, r"fray: Nobody answers at 127\.0\.0\.1:\d+\.")


if __name__ == "__main__":
    run_tests()
