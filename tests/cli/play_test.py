"""fray play: what it refuses, the same match twice in the simulator, and matches of several processes over UDP."""
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

FRAY = os.environ["FRAY_BIN"]
MOST_SECONDS = 120  # of waiting, on a busy machine or with a sanitizer


def processes_of_session(session):
    """Ids and command lines of the processes that were started in this session, also those without a parent."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _parent, _group, its_session = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:4]
            if int(its_session) == session and state != "Z":
                found[int(folder.name)] = (folder / "cmdline").read_bytes().decode().split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
    return found


def is_open(port):
    """Whether a UDP socket of this machine has this port."""
    return re.search(rf"^ *\d+: [0-9A-F]+:{port:04X} ", Path("/proc/net/udp").read_text(), re.M) is not None


def wait_for(condition):
    end = time.monotonic() + MOST_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.05)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="fray_play_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *arguments, **more):
        """Starts fray play in a session of its own."""
        process = subprocess.Popen([FRAY, "play", "--headless", *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder, start_new_session=True, **more)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def play(self, *arguments, **more):
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=2 * MOST_SECONDS)
        self.assertEqual(processes_of_session(process.pid), {})
        return process.returncode, out, err

    def succeeds(self, *arguments):
        code, out, err = self.play(*arguments)
        self.assertEqual(code, 0, out + err)
        return out

    def is_refused(self, *arguments, says, **more):
        code, out, err = self.play(*arguments, **more)
        self.assertEqual(code, 2, out + err)
        self.assertEqual(out, "")
        self.assertRegex(err, r"\Afray: [^\n]+\n\Z")
        self.assertIn(says, err)

    def replay(self, name, *more):
        return subprocess.run([FRAY, "replay", name, *more], capture_output=True, text=True, cwd=self.folder,
                              timeout=MOST_SECONDS)

    def replays_to_the_match(self, name, out):
        """The replay of inputs shows the scoreboard and the last state that the match printed."""
        done = self.replay(name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        board = out[:out.index("\n\n") + 1]
        self.assertRegex(board, r"\A  rank +player +score ")
        self.assertIn("\n" + board + re.search(r"^last state: [0-9a-f]{16}\n", out, re.M)[0], done.stdout)

    def accepts_recording(self, name):
        done = subprocess.run([FRAY, "replay", self.folder / name], capture_output=True, text=True,
                              timeout=MOST_SECONDS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class BadInput(Case):
    def test_unknown_names(self):
        self.is_refused("--map", "moon", says='unknown map "moon" (known: arena, duel, plains, ruins)')
        self.is_refused("--map", "no.map", says="no.map: cannot be read")
        self.is_refused("--mode", "chess", says='unknown mode "chess" (known: ffa, teams, flag)')
        self.is_refused("--overlay", "star", says='unknown overlay "star" (known: mesh, psense)')
        self.is_refused("--consistency", "x", says='unknown consistency algorithm "x" (known: everquest, '
                        "centralized_serialization, local_lag, bucket_sync, half_life, adaptive)")
        self.is_refused("--character", "x", says='unknown character "x" (known: soldier, ')
        self.is_refused("--cheat", "x", says='unknown cheat "x" (known: none, walls, speed, fire)')
        self.is_refused("--network", "moon", says='unknown network profile "moon" (known: lan, same-continent, ')

    def test_numbers_out_of_range(self):
        self.is_refused("--bots", 1, says="--bots")
        self.is_refused("--bots", 1000, "--map", "duel", says="1000")
        for seconds in ("0", "86401", "-1", "nan", "soon"):
            self.is_refused(f"--seconds={seconds}",
                            says=f"--seconds: must be a number of seconds between 1 and 86400 (24 h), not {seconds}")
        self.is_refused("--level", 6, says="--level")
        self.is_refused("--seed=-1", says="--seed: must not be negative")
        self.is_refused("--upload", "99999999", says="--upload")
        self.is_refused("--udp", "--port", 65536, says="--port")
        self.is_refused("--udp", "--processes", 0, says="--processes")

    def test_options_that_exclude_each_other(self):
        self.is_refused("--network", "lan", "--udp", says="--network is simulated, and --udp uses real sockets")
        self.is_refused("--processes", 2, says="--processes needs --udp")
        self.is_refused("--port", 2, says="--port needs --udp")
        self.is_refused("--udp", "--bots", 4, "--processes", 5, says="--processes 5: there are only 4 bots")
        self.is_refused("--udp", "--bots", 300, "--map", "plains", says="300 bots need --processes N, at most 256")
        self.is_refused("--mode", "flag", "--overlay", "psense", says="mode flag needs the overlay mesh")
        self.is_refused("--lag", 100, says="need --consistency time_warp")
        self.is_refused("--consistency", "time_warp", "--lag", 9000, says="--lag")
        self.is_refused("--consistency", "time_warp", "--overlay", "psense", says="time_warp needs the overlay mesh")
        self.is_refused("--watchers", 1, says="--watchers and --record-inputs need --consistency time_warp")
        self.is_refused("--record-inputs", "x", says="--watchers and --record-inputs need --consistency time_warp")
        self.is_refused("--consistency", "time_warp", "--watchers", 65, says="--watchers")
        self.is_refused("--consistency", "time_warp", "--record", "x", "--record-inputs", "x", says="the same file")
        self.is_refused("--udp", "--consistency", "time_warp", "--bots", 4, "--watchers", 1, "--processes", 6,
                        says="--processes 6: there are only 4 bots and their watchers")
        self.is_refused("--bots", 4, "--late", 4, says="--late: the first bot begins the match")

    def test_a_map_that_cannot_be_played(self):
        (self.folder / "split.map").write_text("map split\ngrid\nss#s\nend\n")
        self.is_refused("--map", "split.map", "--bots", 2, says="split.map:3:4: expected a way from every spawn point")
        (self.folder / "bad.map").write_text("map bad\ngrid\nsx\nend\n")
        self.is_refused("--map", "bad.map", says="bad.map:3:2: unknown character 'x'")

    def test_recordings_are_not_overwritten(self):
        recording = self.folder / "mine"
        recording.write_text("mine")
        for more in ([], ["--udp"]):
            self.is_refused("--record", "mine", *more, says="--record: mine exists (--force overwrites it)")
        self.is_refused("--consistency", "time_warp", "--record-inputs", "mine",
                        says="--record-inputs: mine exists (--force overwrites it)")
        self.is_refused("--record", "no/folder/x", says="--record: no/folder")
        self.assertEqual(recording.read_text(), "mine")

    def test_a_port_in_use(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
            self.is_refused("--udp", "--bots", 4, "--processes", 2, "--port", port,
                            says=f"{port} of 127.0.0.1: the port is taken")

    def test_processes_that_cannot_be_started(self):
        def few_files():
            resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
        self.is_refused("--udp", "--bots", 16, preexec_fn=few_files, says="Too many open files")

    def test_the_processes_of_players_are_no_command_for_people(self):
        done = subprocess.run([FRAY, "--help"], capture_output=True, text=True)
        self.assertIn("\n  play  ", done.stdout)
        self.assertNotIn("play-peer", done.stdout)


class Simulated(Case):
    def test_the_same_match_twice(self):
        options = ("--bots", 4, "--seconds", 5, "--seed", 7)
        first = self.succeeds(*options, "--record", "a")
        self.assertRegex(first, r"\A  rank +player +score +kills +deaths +accuracy +pick-ups\n")
        self.assertEqual(len(re.findall(r"^  \d+ +\w+-\d ", first, re.M)), 4)
        self.assertIn("\nscoreboards equal on all 4 peers; 4 of 4 saw everyone; ", first)
        self.assertRegex(first, r"\nhash: [0-9a-f]{16}\n\Z")
        again = self.succeeds(*options, "--record", "b")
        self.assertEqual(first.replace("recorded: a", "recorded: b"), again)
        self.assertNotEqual(first.splitlines()[-1], self.succeeds(*options[:-1], 8).splitlines()[-1])
        self.accepts_recording("a")
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())
        self.succeeds(*options, "--record", "a", "--force")

    def test_without_a_display_it_says_so_and_plays_headless(self):
        done = subprocess.run([FRAY, "play", "--bots", "2", "--map", "duel", "--seconds", "1"], capture_output=True,
                              text=True, timeout=MOST_SECONDS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "fray: there is no display; the match is played headless\n")

    def test_a_cheat_is_refused_with_a_reason(self):
        out = self.succeeds("--bots", 4, "--seconds", 20, "--seed", 7, "--level", 5, "--cheat", "walls")
        self.assertRegex(out, r"\nrefused: [^\n]*\d+ \(the shot does not hit\)")

    def test_time_warp(self):
        options = ("--bots", 4, "--seconds", 10, "--seed", 7, "--consistency", "time_warp", "--lag", 200)
        first = self.succeeds(*options, "--record", "a")
        self.assertRegex(first, r"\n  player +rollbacks +depth p50 ms ")
        rows = re.findall(r"^  \w+-\d +(\d+) +\d+ +\d+ +(\d+) +[\d.]+ +(\d+) +17 +\d+ +(\d+) +(\d+)$", first, re.M)
        self.assertEqual(len(rows), 4, first)
        for rollbacks, visible, stalled, reversed_deaths, desyncs in rows:
            self.assertGreater(int(rollbacks), 20)
            self.assertEqual([visible, stalled, reversed_deaths, desyncs], ["0"] * 4)
        self.assertIn("\nscoreboards equal on all 4 peers; 4 of 4 saw everyone; the last states are equal\n", first)
        self.assertEqual(first.splitlines()[-1], self.succeeds(*options).splitlines()[-1])
        self.accepts_recording("a")
        self.succeeds("--bots", 4, "--seconds", 10, "--consistency", "time_warp", "--lag", 300, "--lag-changes",
                      "--late", 1, "--input-delay", 50)

    def test_watchers_see_the_same_match(self):
        out = self.succeeds("--bots", 3, "--watchers", 2, "--seconds", 6, "--consistency", "time_warp")
        self.assertEqual(len(re.findall(r"^  \d +\w+-\d ", out, re.M)), 3)
        self.assertEqual(len(re.findall(r"^  watcher-[12] +\d+ ", out, re.M)), 4, "network and rollbacks")
        self.assertIn("\nscoreboards equal on all 5 peers; 5 of 5 saw everyone; the last states are equal\n", out)

    def test_inputs_are_executed_again(self):
        (self.folder / "own.map").write_text("map own\ntitle Own\ncell 8\ngrid\n" + "s..i..s\n" * 6 + "end\n")
        options = ("--bots", 3, "--seconds", 8, "--map", "own.map", "--mode", "teams", "--consistency", "time_warp",
                   "--lag", 150, "--late", 1, "--watchers", 1)
        out = self.succeeds(*options, "--record-inputs", "a")
        self.assertIn("\nrecorded: a\n", out)
        (self.folder / "own.map").unlink()  # the recording holds it
        self.replays_to_the_match("a", out)
        self.assertIn("a: map own, teams, 3 tanks, 7.9", self.replay("a").stdout)

    def test_damaged_inputs_are_refused(self):
        self.succeeds("--bots", 2, "--seconds", 2, "--consistency", "time_warp", "--record-inputs", "a")
        whole = (self.folder / "a").read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 1
        for name, content, says in (("short", whole[:7], "short: cut off after 7 bytes"),
                                    ("cut", whole[:-9], "cut: cut off or damaged: hash mismatch"),
                                    ("flipped", bytes(flipped), "flipped: cut off or damaged: hash mismatch"),
                                    ("newer", whole[:7] + b"\x09" + whole[8:], "newer: recorded with format version 9")):
            (self.folder / name).write_bytes(content)
            done = self.replay(name)
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertRegex(done.stderr, r"\Afray: [^\n]+\n\Z")
            self.assertIn(says, done.stderr)
        self.assertEqual(self.replay("a", "--step").returncode, 2)

    def test_many_peers_are_summed_up(self):
        out = self.succeeds("--bots", 17, "--seconds", 2, "--network", "lan", "--mode", "teams")
        self.assertRegex(out, r"\n  17 peers .*\n  mean .*\n  worst ")


class OverUdp(Case):
    def free_port(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            return free.getsockname()[1]

    def start_match(self, *arguments):
        """Returns when the match has begun."""
        port = self.free_port()
        process = self.start("--udp", "--bots", 4, "--port", port, *arguments)
        wait_for(lambda: is_open(port) or process.poll() is not None)
        time.sleep(2)  # until the others have joined
        return process

    def players(self, process):
        """Process ids by the number of their first player."""
        return {words[words.index("--first") + 1]: pid for pid, words in processes_of_session(process.pid).items()
                if "--first" in words}

    def all_end(self, process):
        wait_for(lambda: not processes_of_session(process.pid))

    def test_four_processes(self):
        process = self.start_match("--seconds", 5, "--record", "a")
        self.assertEqual(sorted(self.players(process)), ["0", "1", "2", "3"])
        out, err = process.communicate(timeout=MOST_SECONDS)
        self.assertEqual(process.returncode, 0, out + err)
        self.assertIn("\nscoreboards equal on all 4 peers; 4 of 4 saw everyone; ", out)
        self.assertNotIn("hash", out)
        self.assertEqual(processes_of_session(process.pid), {})
        self.accepts_recording("a")

    def test_several_players_in_a_process(self):
        process = self.start_match("--seconds", 3, "--processes", 2)
        self.assertEqual(sorted(self.players(process)), ["0", "2"])
        out, err = process.communicate(timeout=MOST_SECONDS)
        self.assertEqual(process.returncode, 0, out + err)
        self.assertIn("\nscoreboards equal on all 4 peers; ", out)

    def test_time_warp_with_a_player_that_joins_at_half_time(self):
        process = self.start("--udp", "--bots", 3, "--seconds", 8, "--late", 1, "--consistency", "time_warp", "--lag", 100)
        out, err = process.communicate(timeout=MOST_SECONDS)
        self.assertEqual(process.returncode, 0, out + err)
        self.assertIn("\nscoreboards equal on all 3 peers; 3 of 3 saw everyone; the last states are equal\n", out)

    def test_time_warp_with_watchers_and_recorded_inputs(self):
        for more in ([], ["--processes", 2]):
            process = self.start("--udp", "--bots", 3, "--watchers", 1, "--seconds", 5, "--consistency", "time_warp",
                                 "--record-inputs", "a", "--force", *more)
            out, err = process.communicate(timeout=MOST_SECONDS)
            self.assertEqual(process.returncode, 0, out + err)
            self.assertIn("\nscoreboards equal on all 4 peers; 4 of 4 saw everyone; the last states are equal\n", out)
            self.replays_to_the_match("a", out)

    def goes_on_without(self, player, name, *more):
        process = self.start_match("--seconds", 8, *more)
        os.kill(self.players(process)[player], signal.SIGKILL)
        out, err = process.communicate(timeout=MOST_SECONDS)
        self.assertEqual(process.returncode, 0, out + err)
        self.assertIn(f"\ngone: {name} (signal 9 (Killed))\n", out)
        self.assertRegex(out, rf"\n  \d +{name} .* gone\n")
        self.assertIn("\nscoreboards equal on all 3 peers; ", out)
        self.assertEqual(processes_of_session(process.pid), {})

    def test_the_match_goes_on_without_a_process_that_was_killed(self):
        self.goes_on_without("2", "sniper-3")

    def test_on_time_warp_it_goes_on_as_well(self):
        self.goes_on_without("0", "soldier-1", "--consistency", "time_warp")

    def test_the_match_goes_on_without_the_process_that_began_it(self):
        self.goes_on_without("0", "soldier-1")

    def test_a_process_that_fails_breaks_a_promise(self):
        process = self.start_match("--seconds", 9)
        os.kill(self.players(process)["2"], signal.SIGABRT)
        out, _ = process.communicate(timeout=MOST_SECONDS)
        self.assertEqual(process.returncode, 1, out)
        self.assertIn("\ngone: sniper-3 (signal 6 (Aborted))\n", out)

    def test_a_signal_stops_all_processes(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.start_match("--seconds", 600)
            self.assertEqual(len(self.players(process)), 4)
            process.send_signal(number)
            out, err = process.communicate(timeout=MOST_SECONDS)
            self.assertEqual((process.returncode, out), (code, ""))
            self.assertTrue(err.endswith("fray: the match was stopped\n"))
            self.assertEqual(processes_of_session(process.pid), {})

    def test_no_process_outlives_a_killed_parent(self):
        process = self.start_match("--seconds", 600)
        self.assertEqual(len(self.players(process)), 4)
        process.kill()
        process.wait()
        began = time.monotonic()
        self.all_end(process)
        self.assertLess(time.monotonic() - began, 10)


if __name__ == "__main__":
    unittest.main()
