#!/usr/bin/env python3
"""Code in the documentation is included, never pasted.

Every block of code in README.md and docs/ stands under a line that names the file it is from:

    <!-- from examples/03_udp_pair.cpp -->

Its lines must stand in that file in this order and without a gap; only the indentation of the whole may
differ. A line `// ...` (`# ...` outside C++) in the block stands for lines left out.
"""
import os
import re
import sys
import textwrap
from pathlib import Path

LANGUAGES = {"cpp", "cmake", "toml", "python"}  # commands (sh) and plain text need no source
FENCE = re.compile(r"^```(\w*)\s*$")
SOURCE = re.compile(r"^<!-- from (\S+) -->$")
GAP = re.compile(r"^\s*(//|#) \.\.\.\s*$")


def blocks(text):
    """(line number, language, source or None, lines) of every fenced block."""
    lines = text.splitlines()
    start = None
    for i, line in enumerate(lines):
        if not FENCE.match(line):
            continue
        if start is None:
            start = i
            continue
        source = SOURCE.match(lines[start - 1]) if start > 0 else None
        yield start + 1, FENCE.match(lines[start]).group(1), source and source.group(1), lines[start + 1:i]
        start = None


def parts(lines):
    """The runs of lines between the gaps, each without its common indentation."""
    found = [[]]
    for line in lines:
        if GAP.match(line):
            found.append([])
        else:
            found[-1].append(line)
    return [dedented(part) for part in found if part]


def dedented(lines):
    return textwrap.dedent("\n".join(lines)).split("\n")


def place(part, source, start):
    """The line of the part in the source, from `start` on; None if it is not there."""
    for at in range(start, len(source) - len(part) + 1):
        if source[at].strip() == part[0].strip() and dedented(source[at:at + len(part)]) == part:
            return at
    return None


def problem(root, name, lines):
    path = root / name
    if not path.is_file():
        return f"{name} does not exist"
    source = [line.rstrip() for line in path.read_text().splitlines()]
    at = 0
    for part in parts([line.rstrip() for line in lines]):
        found = place(part, source, at)
        if found is None:
            return f"not in {name}, or not in this order: {part[0].strip()!r} and what follows"
        at = found + len(part)
    return None


def main():
    root = Path(os.environ.get("FRAY_SOURCE_DIR", Path(__file__).resolve().parents[2]))
    checked, findings = 0, []
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for line, language, source, lines in blocks(page.read_text()):
            where = f"{page.relative_to(root)}:{line}"
            if source is None:
                if language in LANGUAGES:
                    findings.append(f"{where}: a block of {language} without <!-- from FILE --> above it")
                continue
            checked += 1
            wrong = problem(root, source, lines)
            if wrong:
                findings.append(f"{where}: {wrong}")
    print("\n".join(findings) if findings else f"{checked} blocks as in their sources")
    return 1 if findings or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
