"""The playground in a real browser (see tests/web/chromium.py): it runs as natively, its sliders act, and it heals from a crash."""
import tempfile
from pathlib import Path

from chromium import browser, need_playwright, play, run

SETTINGS = "players=60&vision=150&upload=128&jitter=10&loss=20&interest=focus&guidance=1&seed=42"


def main():
    browser()
    need_playwright()
    for settings in ("players=1", "upload=fast", "overlay=ring", "colour=red", "players"):
        refused = run("playground", "--trace", "--settings", settings, codes=(2,))
        assert refused.stderr.startswith("fray: --settings: ") and refused.stderr.count("\n") == 1, refused.stderr
    trace = run("playground", "--trace", "--settings", SETTINGS, "--seconds", 10).stdout.strip()
    assert len(trace) == 16, trace
    other = run("playground", "--trace", "--settings", SETTINGS.replace("42", "43"), "--seconds", 10).stdout.strip()
    assert trace != other, "the seed changes nothing"
    with tempfile.TemporaryDirectory(prefix="fray_playground_") as folder:
        page = Path(folder) / "playground.html"
        assert run("playground", "--out", page).stdout.strip() == str(page)
        assert play("playground.mjs", page, SETTINGS, trace) == 0, \
            "the playground does not do what it should (if the trace differs, tools/web puts the library as it is into the page)"


main()
