#!/usr/bin/env python3
"""Follows docs/getting_started.md: its section "As a package" word for word, and the paths that the page names.

The commands and the files of the section are taken from the page. $HOME is an empty folder, and two things are replaced:
build/release by the build tree of this test, because a second build takes minutes, and the ports by free ones. The
section ends with two processes that must see each other, once built with CMake and once with pkg-config.
"""
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["FRAY_SOURCE_DIR"])
BINARY = Path(os.environ["FRAY_BINARY_DIR"])
BLOCK = re.compile(r"(?:^<!-- from \S*?([\w.]+) -->\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)


def fail(what):
    print(what)
    sys.exit(1)


def section(page, title):
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    return found.group(1) if found else fail(f"the page has no section '{title}'")


def commands(block):
    """The lines of a block of commands, without comments."""
    return [line.split(" #")[0].strip() for line in block.splitlines() if line.strip()]


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Follower:
    """Follows a section: saves its files, and runs its commands."""

    def __init__(self, home):
        self.home = home
        self.folder = home / "game"
        self.folder.mkdir(parents=True)
        self.environment = dict(os.environ, HOME=str(home), CXX=os.environ["FRAY_CXX"])
        self.environment.pop("PKG_CONFIG_PATH", None)
        self.exports = []

    def run(self, command, folder):
        script = "\n".join(["set -euo pipefail", *self.exports, command])
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=self.environment, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            fail(f"failed: {command}\n{done.stdout}{done.stderr}")

    def follow(self, lines):
        for line in lines:
            print("+", line)
            if line.startswith("export "):
                self.exports.append(line)
            elif line.startswith("cmake --preset release"):
                continue  # the tree that runs this test is built already
            elif "build/release" in line:
                self.run(line.replace("build/release", str(BINARY)), SOURCE)
            else:
                # A sanitizer or another compiler of this configuration must not change what the page says.
                self.run(line.replace("g++ ", os.environ["FRAY_CXX"] + " ", 1), self.folder)

    def meet(self, starts):
        """Runs two commands at once. Each process must see the other one."""
        ports = {port: free_port() for port in ("7000", "7001")}
        processes = []
        for line in starts:
            print("+", line)
            line = re.sub(r"\b700[01]\b", lambda port: ports[port.group()], line)
            processes.append(subprocess.Popen(line.split(), cwd=self.folder, stdout=subprocess.PIPE, text=True))
        try:
            seen = [process.communicate(timeout=60)[0] for process in processes]
        except subprocess.TimeoutExpired:
            for process in processes:
                process.kill()
            fail("the two processes did not see each other")
        names = [line.split()[1] for line in starts]
        for me, other, text, process in zip(names, reversed(names), seen, processes):
            if process.returncode != 0 or f"{me} sees the tank of {other}" not in text:
                fail(f"{me} does not see {other}: exit code {process.returncode}, output:\n{text}")
            print(text, end="")


def follow_package_section(page):
    home = BINARY / "getting_started_test"
    shutil.rmtree(home, ignore_errors=True)
    follower = Follower(home)
    meetings = []
    for name, language, text in BLOCK.findall(section(page, "As a package")):
        if language != "sh":
            (follower.folder / name).write_text(text)
        elif "7000" in text:
            meetings = commands(text)
            follower.meet(meetings)
        else:
            follower.follow(commands(text))
    if not meetings or not (follower.folder / "first_game").is_file():
        fail("the section starts no processes, or builds no program with pkg-config")
    follower.meet([line.replace("build/first_game", "./first_game") for line in meetings])


def check_paths(page):
    """Programs that the page names are built by the commands that it names; scripts are in the tree."""
    built = sorted(set(re.findall(r"\bbuild/dev/([\w./]+)", page)))
    if len(built) < 2 or "cmake --build build/dev" not in page:
        fail("the page names no examples, or not how they are built")
    for path in built:
        if not (BINARY / path).is_file():
            fail(f"build/dev/{path} does not exist")
    for _, language, text in BLOCK.findall(page):
        for script in re.findall(r"^(\./\w+|tools/[\w.]+)", text, re.M) if language == "sh" else []:
            if not os.access(SOURCE / script, os.X_OK):
                fail(f"{script} is no program of the tree")


def main():
    if os.environ.get("FRAY_SANITIZE"):
        print("left out: a program against sanitized libraries needs the sanitizer's flags too")
        sys.exit(77)
    page = (SOURCE / "docs" / "getting_started.md").read_text()
    check_paths(page)
    follow_package_section(page)


main()
