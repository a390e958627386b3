"""What the tests of pages need: a browser, and playwright-core from npm."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["FRAY_SOURCE_DIR"])
FRAY = os.environ["FRAY_BIN"]


def skip(why):
    print(why)
    sys.exit(77)


def browser():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    return found or skip("skipped: there is no chromium (tools/setup test installs it)")


def need_playwright():
    if (SOURCE / "web" / "node_modules" / "playwright-core").is_dir():
        return
    if not shutil.which("node") or not shutil.which("npm"):
        skip("skipped: web/node_modules is missing, and there is no npm to install it")
    done = subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund"], cwd=SOURCE / "web", capture_output=True, text=True)
    if done.returncode != 0:
        skip("skipped: npm install in web/ failed: " + (done.stderr.strip().splitlines() or [""])[-1])


def run(*arguments, codes=(0,)):
    done = subprocess.run([FRAY, *map(str, arguments)], capture_output=True, text=True, timeout=250)
    assert done.returncode in codes, done.stdout + done.stderr
    return done


def play(script, *arguments):
    """Runs a script beside this file in node; returns its exit code. FRAY_PICTURES names a folder for pictures."""
    pictures = [os.environ["FRAY_PICTURES"]] if "FRAY_PICTURES" in os.environ else []
    done = subprocess.run(["node", Path(__file__).with_name(script), *map(str, arguments), *pictures],
                          env={**os.environ, "FRAY_CHROMIUM": browser()}, capture_output=True, text=True, timeout=280)
    print(done.stdout + done.stderr)
    return done.returncode
