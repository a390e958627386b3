"""The page of fray report in a real browser (see tests/web/chromium.py): every figure has the values of result.json, and a reader can use it."""
import json
import tempfile
from pathlib import Path

from chromium import SOURCE, browser, need_playwright, play, run

# Lines, curves, upright and horizontal bars, marks of every kind; each takes a second or two.
PLANS = ["psense_scalability", "psense_traffic", "psense_sensitivity", "consistency_table", "consistency_observations",
         "foundation_profiles", "time_warp_behaviour"]


def hostile_results(out):
    """A result, the last on the page, whose every text is markup, whose figures are nonsense; and two that cannot be read."""
    mean = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    result = {"plan": "zz" + mean, "paper": mean, "question": mean, "columns": [mean, "pq"], "rows": [[mean, 1.5], [None, 1e308]],
              "expected": [{"claim": mean, "kind": mean, "holds": False, "paper": mean, "measured": mean}],
              "not_checked": [mean, 7],
              "figures": [{"title": mean, "series": [{"name": mean, "points": [[mean, 1], ["x"], [1, "2"], 3]}]},
                          {"kind": "bar", "categories": True, "title": "bars", "x": {"label": mean}, "y": {"label": mean},
                           "series": [{"name": mean, "points": [[mean, 1, 0.5], ["b", -2]]}], "marks": [{"label": mean}, 7]},
                          "no figure"]}
    (out / "hostile").mkdir()
    (out / "hostile" / "result.json").write_text(json.dumps(result))
    (out / "cut").mkdir()
    (out / "cut" / "result.json").write_text(json.dumps(result)[:100])
    (out / "nan").mkdir()
    (out / "nan" / "result.json").write_text(json.dumps({**result, "rows": [[float("nan"), 1]]}))


def main():
    browser()
    need_playwright()
    with tempfile.TemporaryDirectory(prefix="fray_report_") as folder:
        out = Path(folder) / "results"
        printed = run("lab", "run", *PLANS, "--quick", "--out", out, codes=(0, 1)).stdout
        page = out / "report.html"
        assert printed.rstrip().splitlines()[-1] == str(page), "the path of the page is the last line"
        wide = [line for line in printed.splitlines() if len(line) > 100 and not line.startswith(str(out))]
        assert not wide, "the terminal's tables fit 100 columns: " + wide[0]
        assert play("report_page.mjs", page, out) == 0, "the page of a quick run"
        hostile_results(out)
        done = run("report", out, "--out", page)
        assert done.stderr.count("left out: ") == 2, done.stderr
        assert page.read_text().count("alert(1)") > 5, "the hostile result is not on the page"
        assert play("report_page.mjs", page, out) == 0, "the page with hostile results"
        if (SOURCE / "results").is_dir():
            run("report", SOURCE / "results", "--out", page)
            assert play("report_page.mjs", page, SOURCE / "results") == 0, "the page of the committed results"


main()
