"""The built pages of web/, which are committed, are those of their sources."""
import hashlib
import os
import sys
from pathlib import Path

WEB = Path(os.environ["FRAY_SOURCE_DIR"]) / "web"
FILES = ["package-lock.json", "package.json", "playground.html", "report.html", "tsconfig.json", "vite.config.js"]


def sources_hash():
    """As web/tools/sources_hash.mjs computes it when the page is built."""
    names = sorted(FILES + [path.relative_to(WEB).as_posix() for path in (WEB / "src").rglob("*") if path.is_file()])
    assert len(names) > 10, names
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (WEB / name).read_bytes() + b"\0")
    return digest.hexdigest()


built_from = (WEB / "dist" / "sources.sha256").read_text().strip()
page = (WEB / "dist" / "report.html").read_text()
assert page.count("fray-report-data") == 1, "the place for the data is missing"
if built_from != sources_hash():
    sys.exit("web/dist is not built from web/ as it is now: tools/web builds it")
