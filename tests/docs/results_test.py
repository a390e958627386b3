"""docs/results.md and the table in the README say what the committed results say."""
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(os.environ["FRAY_SOURCE_DIR"])
BEGIN, END = "<!-- results: begin -->\n", "<!-- results: end -->\n"


def block_of(text):
    assert text.count(BEGIN) == 1 and text.count(END) == 1, "the lines around the table are missing"
    return text[text.index(BEGIN):text.index(END)]


with tempfile.TemporaryDirectory(prefix="fray_results_") as folder:
    page = Path(folder) / "results.md"
    done = subprocess.run([os.environ["FRAY_BIN"], "report", "results", "--markdown", str(page)], cwd=ROOT,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    written = page.read_text()

assert written.count("| yes |") > 50, "hardly any claim is there"
assert written == (ROOT / "docs" / "results.md").read_text(), "docs/results.md is not of results/: tools/results writes it"
assert block_of(written) == block_of((ROOT / "README.md").read_text()), "the README's table is not of results/: tools/results writes it"
