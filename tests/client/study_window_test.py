#!/usr/bin/env python3
"""A whole rehearsal of the user study under Xvfb: two people with a screen each, votes, answers, the CSV file."""
import csv
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from xvfb import ACCENT, GameTest, count, free_port, middle, run_tests  # noqa: E402

VOTES = (300, 56, 340, 68)          # the two circles below the clock
QUESTIONS = (212, 100, 428, 300)


def trial_runs(picture):
    return count(picture, VOTES, ACCENT, 30) > 6


def asks(picture):
    return middle(picture, QUESTIONS, ACCENT, 6, 2)[1] > 250  # the button


class Study(GameTest):
    def test_a_rehearsal_gives_a_line_with_votes_times_scores_and_preferences(self):
        port = free_port()
        results = Path(self.folder, "results.csv")
        words = ["play", "--study", "donnybrook-low", "--study-times", "4,16,4", "--bots", "8", "--quit-after", "100"]
        screens = [self.open_screen(name) for name in ("host", "guest")]
        for screen, name in zip(screens, ("Ann", "Ben")):
            self.configure(screen.folder, f"name = {name}\n")
        host = self.start(screens[0], *words, "--host", str(port), "--study-results", str(results))
        time.sleep(1.5)
        guest = self.start(screens[1], *words, "--join", f"127.0.0.1:{port}")
        for screen in screens:
            screen.wait_for(trial_runs, "the votes of the trial", 60)
        screens[0].do("key", "v")
        time.sleep(1.5)
        self.assertFalse(results.exists())
        screens[1].do("key", "v")
        for screen in screens:
            picture = screen.wait_for(asks, "the questions", 60)
            (x, y), _ = middle(picture, QUESTIONS, ACCENT, 6)
            screen.do("mousemove", str(int(x)), str(int(y)), "click", "1")
        end = time.monotonic() + 20
        while not results.exists() and time.monotonic() < end:
            time.sleep(0.2)
        time.sleep(0.3)
        with results.open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 1, rows)
        row = rows[0]
        self.assertEqual((row["trial"], row["study"], row["first"]), ("1", "donnybrook-low", "donnybrook"))
        self.assertEqual(row["switches"], "1")
        self.assertGreater(float(row["both_votes_s"]), float(row["first_vote_s"]) + 1)
        self.assertAlmostEqual(float(row["donnybrook_s"]) + float(row["other_s"]), 16, delta=0.2)
        self.assertAlmostEqual(float(row["donnybrook_s"]), float(row["both_votes_s"]), delta=0.2)
        for person in ("person1", "person2"):
            self.assertEqual([row[f"{person}_{what}"] for what in ("donnybrook", "other", "prefers")], ["5", "5", "neither"])
        for game in (host, guest):
            self.assertIsNone(game.poll(), "the windows stay open")


if __name__ == "__main__":
    run_tests()
