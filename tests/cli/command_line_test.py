"""The real program: help, bad usage and bad input (one line, exit code 2, nothing overwritten), runs, resuming."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

FRAY = os.environ["FRAY_BIN"]

PLAN = """
name = "tiny"
paper = "Fig. 0"
question = "Does it run?"
experiment = "foundation_mesh"
replications = 2
[parameters]
seconds = 2
warm_up_seconds = 1
profile = "lan"
loss = 0
[sweep]
peers = [2, 3]
[[expected]]
claim = "the ledger is right"
must = true
column = "ledger_bytes"
equal_to = { column = "network_bytes" }
[[expected]]
claim = "nobody sends anything"
paper = "0"
column = "datagrams"
equals = 0
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="fray_cli_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.plan("tiny", PLAN)
        self.out = self.folder / "out"

    def plan(self, name, text):
        (self.folder / f"{name}.toml").write_text(text)

    def environment(self):
        return {**os.environ, "FRAY_PLANS": str(self.folder), "FRAY_DATA": str(self.folder)}

    def fray(self, *arguments):
        return subprocess.run([FRAY, *map(str, arguments)], capture_output=True, text=True, env=self.environment(),
                              cwd=self.folder, timeout=240)

    def succeeds(self, *arguments):
        done = self.fray(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def is_refused(self, *arguments, says=""):
        """Exit code 2 and exactly one line, which begins with the program's name."""
        done = self.fray(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\Afray: [^\n]+\n\Z")
        self.assertIn(says, done.stderr)
        return done.stderr

    def result(self, name="tiny", out=None):
        return json.loads(((out or self.out) / name / "result.json").read_text())


class Usage(Case):
    def test_help_texts(self):
        for arguments in (["--help"], ["lab", "--help"], ["lab", "list", "--help"], ["lab", "run", "--help"],
                          ["replay", "--help"], ["report", "--help"], ["playground", "--help"]):
            self.assertIn("Usage:", self.succeeds(*arguments))
        self.assertIn("--replications", self.succeeds("lab", "run", "--help"))
        self.assertIn("Exit codes", self.succeeds("--help"))

    def test_version(self):
        self.assertRegex(self.succeeds("--version"), r"\Afray \d+\.\d+\.\d+ \(protocol \d+, commit \S+\)\n\Z")

    def test_bad_usage(self):
        for arguments in ([], ["dance"], ["--nonsense"], ["lab"], ["lab", "run"], ["lab", "run", "tiny", "--jobs", "0"],
                          ["lab", "run", "tiny", "--jobs", "many"], ["lab", "run", "tiny", "--replications", "0"],
                          ["lab", "run", "tiny", "--replications", "-1"], ["lab", "run", "tiny", "--seed", "x"],
                          ["lab", "run", "tiny", "--seed", "-1"], ["replay"], ["replay", "a", "--limit", "-1"], ["report"],
                          ["playground", "--trace", "--seconds", "-1"]):
            with self.subTest(arguments):
                self.is_refused(*arguments)
        self.assertFalse(self.out.exists())  # the default of --out
        self.is_refused("dance", says="dance")
        self.is_refused("lab", "dance", says="dance (fray lab --help")
        self.is_refused("lab", says="a command is missing (fray lab --help")
        self.is_refused("lab", "run", "tiny", "--nonsense", says="--nonsense (fray lab run --help")
        self.is_refused("lab", "run", "tiny", "--seed", 2**64, says="too large")

    def test_times_that_are_none(self):
        for option in ("--from", "--to"):
            for time in ("nan", "inf", "-inf", "1e300", "1e10", "-1", "1s", "soon"):
                with self.subTest(f"{option} {time}"):
                    self.is_refused("replay", "a", f"{option}={time}",
                                    says=f"{option}: must be a number of seconds between 0 and 1e9, not {time}")

    def test_list(self):
        self.assertRegex(self.succeeds("lab", "list"), r"tiny +Fig\. 0 +Does it run\?")


class BadInput(Case):
    def test_unknown_plan(self):
        self.is_refused("lab", "run", "tyni", "--out", self.out, says="no plan tyni; did you mean tiny?")
        self.is_refused("lab", "run", "nowhere/at_all.toml", says="nowhere/at_all.toml: cannot be read")
        self.assertFalse(self.out.exists())

    def test_broken_plans(self):
        broken = {
            "loss = 0": ("loss = 2", ":11:8: loss must be between 0 and 0.9, not 2"),
            "peers = [2, 3]": ("peers = [2, -3]", ":13:13: peers must be between 2 and 1000, not -3"),
            "replications = 2": ("replications = 0", ":6:16: plan: replications must be"),
            "seconds = 2\n": ("secnds = 2\n", ":8:1: foundation_mesh has no parameter secnds; did you mean seconds?"),
            "[sweep]": ("[sweep", ":12:7: malformed TOML: "),
            "seconds = 2\nwarm": ("seconds = nan\nwarm", ":8:11: seconds must be between 1 and 86400, not nan"),
            "\nwarm_up_seconds = 1": ("\nwarm_up_seconds = inf", ":9:19: warm_up_seconds must be between 0 and 3600"),
            "warm_up_seconds = 1": ("warm_up_seconds = 3", ":9:19: case peers=2: warm_up_seconds must be less than seconds"),
            "profile = \"lan\"": ("profile = \"moon\"", ":10:11: profile must be one of lan, "),
            "equals = 0": ("equals = nan", ":23:10: [[expected]]: equals must be a finite number"),
            "must = true": ("musst = true", ":16:1: [[expected]]: unknown key musst; did you mean must?"),
        }
        for old, (new, says) in broken.items():
            with self.subTest(new):
                self.plan("tiny", PLAN.replace(old, new, 1))
                self.is_refused("lab", "run", "tiny", "--out", self.out, says=f"tiny.toml{says}")
        self.assertFalse(self.out.exists())

    def test_a_broken_plan_stops_all_before_anything_runs(self):
        self.plan("zz_last", "name = 3\n")
        self.is_refused("lab", "run", "all", "--out", self.out, says="zz_last.toml:1:8")
        self.assertFalse(self.out.exists())

    def test_measurements_that_are_not_there(self):
        self.plan("needy", PLAN.replace("tiny", "needy", 1).replace("replications", 'needs = ["moon"]\nreplications', 1))
        self.is_refused("lab", "run", "needy", "--out", self.out, says="nothing was run: needy needs ")
        self.plan("poor", PLAN.replace("tiny", "poor", 1).replace("replications", 'needs = ["sun"]\nreplications', 1))
        self.is_refused("lab", "run", "needy", "poor", "--out", self.out, says="/sun, which does not exist (FRAY_DATA ")
        self.assertFalse(self.out.exists())
        text = self.succeeds("lab", "run", "all", "--out", self.out)
        self.assertRegex(text, r"\nskipped: needy needs \S+/moon, poor needs \S+/sun, which does not exist")
        self.assertRegex(text, r"needy .* skipped: needs data")
        self.assertEqual(self.result()["plan"], "tiny")

    def test_measured_networks_that_are_absent_or_damaged(self):
        data = {"cut.csv": ("starlink", "t_s,rtt_ms\n0,40\n0.1,4", ":3: cut off"),
                "bad.csv": ("starlink", "t_s,rtt_ms\n0,forty\n", ":2: expected a number as rtt_ms"),
                "none.txt": ("ping", "hello\n", ":1: expected the output of ping"),
                "one.csv": ("regions", "src,dst,rtt_avg_ms,tcp_bitrate_bps\na,b,x,1\n", ":2: expected a number"),
                "gone.csv": ("regions", None, ": cannot be read")}
        for name, (kind, text, says) in data.items():
            with self.subTest(name):
                if text is not None:
                    (self.folder / name).write_text(text)
                self.plan("tiny", PLAN.replace('"lan"', f'"{kind}:{name}"'))
                self.is_refused("lab", "run", "tiny", "--out", self.out, says=f"{self.folder / name}{says}")
        self.is_refused("lab", "run", "tiny", "--out", "/proc/nowhere", says="gone.csv")
        self.assertFalse(self.out.exists())
        self.assertIn("Does it run?", self.succeeds("lab", "list"))  # which reads plans, not measurements

    def test_damaged_tracks_leave_nothing_behind(self):
        plan = Path(os.environ["FRAY_SOURCE_DIR"]) / "lab" / "plans" / "psense_traces.toml"
        shutil.copy(plan, self.folder)
        tracks = self.folder / "fortnite_traces"
        tracks.mkdir()
        header = "trace,first_record,records,session,kind,won,final_place,kills,playtime_s,group_size\n"
        (tracks / "traces.bin").write_bytes(bytes(24))
        for rows, says in (("0,0,x,1,study,0,1,0,1,1\n", "index.csv:2: expected a whole number"),
                           ("0,0,9,1,study,0,1,0,1,1\n", "traces.bin: cut off after 3 records")):
            (tracks / "index.csv").write_text(header + rows)
            self.is_refused("lab", "run", "psense_traces", "--quick", "--record", "--out", self.out,
                            says=f"fortnite_traces/{says}")
            self.assertFalse((self.out / "psense_traces").exists())

    def test_no_plans_folder(self):
        done = subprocess.run([FRAY, "lab", "list"], capture_output=True, text=True,
                              env={**os.environ, "FRAY_PLANS": "/nowhere"})
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Afray: /nowhere: no plans can be read there[^\n]*\n\Z")

    def test_unwritable_output(self):
        self.out.write_text("a file")
        self.is_refused("lab", "run", "tiny", "--out", self.out, says="cannot be made")
        self.is_refused("lab", "run", "tiny", "--out", "/proc/nowhere", says="/proc/nowhere/tiny: cannot be made")
        self.assertEqual(self.out.read_text(), "a file")

    def test_recordings_that_are_none(self):
        self.is_refused("replay", self.folder / "missing", says="missing")
        self.is_refused("replay", self.folder / "tiny.toml", says="tiny.toml")
        self.is_refused("replay", self.folder, says=str(self.folder))


class Runs(Case):
    def test_results(self):
        printed = self.succeeds("lab", "run", "tiny", "--out", self.out, "--seed", 7, "--jobs", 2)
        result = self.result()
        self.assertEqual([result[key] for key in ("plan", "paper", "seed", "replications")], ["tiny", "Fig. 0", 7, 2])
        self.assertEqual([len(row) for row in result["rows"]], [len(result["columns"])] * 2)
        self.assertEqual([claim["holds"] for claim in result["expected"]], [True, False])
        self.assertGreater(result["work"]["messages"], 0)
        self.assertIn("nobody sends anything", printed)
        for name in ("rows.csv", "runs.csv", "manifest.json"):
            self.assertTrue((self.out / "tiny" / name).exists())
        self.assertEqual([claim["kind"] for claim in result["expected"]], ["promise", "paper"])
        nothing = result["expected"][1]
        self.assertEqual([nothing[key] for key in ("column", "at_least", "at_most")], ["datagrams", 0, 0])
        self.assertGreater(nothing["value"], 0)
        manifest = json.loads((self.out / "tiny" / "manifest.json").read_text())
        self.assertEqual(manifest["command"], [FRAY, "lab", "run", "tiny", "--out", str(self.out), "--seed", "7",
                                               "--jobs", "2"])
        self.assertIn("Linux", manifest["os"])
        self.assertGreater(manifest["cpu_cores"], 0)
        self.assertIn("cpu", manifest)

    def test_quick_and_full_results_are_kept_apart(self):
        self.plan("tiny", PLAN + "[quick]\nreplications = 1\n")
        self.succeeds("lab", "run", "tiny", "--out", self.out)
        full = self.result()
        self.succeeds("lab", "run", "tiny", "--quick", "--out", self.out)
        self.assertEqual(self.result("tiny.quick")["replications"], 1)
        self.assertEqual(self.result(), full)
        self.assertIn("reused", self.succeeds("lab", "run", "tiny", "--out", self.out))

    def test_a_mesh_over_measured_latencies(self):
        rows = [f"{a},{b},{rtt},1" for a, b, rtt in (("x", "y", 90), ("y", "x", 90), ("x", "z", 90), ("z", "x", 90),
                                                      ("y", "z", 90), ("z", "y", 90))]
        (self.folder / "links.csv").write_text("\n".join(["src,dst,rtt_avg_ms,tcp_bitrate_bps", *rows, ""]))
        self.plan("tiny", PLAN.replace('"lan"', '"regions:links.csv"').replace("seconds = 2", "seconds = 6", 1))
        self.succeeds("lab", "run", "tiny", "--out", self.out)
        result = self.result()
        column = result["columns"].index("link_rtt_ms_p50")
        self.assertEqual(len(result["rows"]), 2)
        for row in result["rows"]:
            self.assertTrue(85 < row[column] < 130, row[column])

    def test_the_same_again_and_another_seed(self):
        self.succeeds("lab", "run", "tiny", "--out", self.out, "--jobs", 1)
        self.assertIn("reused", self.succeeds("lab", "run", "tiny", "--out", self.out))
        first = self.result()
        self.is_refused("lab", "run", "tiny", "--out", self.out, "--seed", 2, says="--renew")
        self.assertEqual(self.result(), first)
        self.succeeds("lab", "run", "tiny", "--out", self.out, "--seed", 2, "--force")
        self.assertEqual(self.result("tiny.1"), first)
        self.assertNotEqual(self.result()["rows"], first["rows"])
        self.succeeds("lab", "run", "tiny", "--out", self.out, "--force", "--jobs", 2)
        self.assertEqual(self.result()["rows"], first["rows"])

    def test_renew_moves_only_outdated_results_aside(self):
        self.succeeds("lab", "run", "tiny", "--out", self.out, "--renew")
        first = self.result()
        self.assertIn("reused", self.succeeds("lab", "run", "tiny", "--out", self.out, "--renew"))
        self.assertFalse((self.out / "tiny.1").exists())
        self.succeeds("lab", "run", "tiny", "--out", self.out, "--seed", 2, "--renew")
        self.assertEqual(self.result("tiny.1"), first)
        self.assertNotEqual(self.result()["rows"], first["rows"])

    def test_a_plan_by_its_path_and_several_plans(self):
        self.plan("other", PLAN.replace('"tiny"', '"other"'))
        printed = self.succeeds("lab", "run", self.folder / "tiny.toml", "other", "tiny", "--out", self.out)
        self.assertRegex(printed, r"other +0 of 1 +1 of 1 +- +- +4 ")
        self.assertRegex(printed, r"paper +other +nobody sends anything ")
        self.assertIn("\n2 of 2 promises kept, 0 of 2 paper's claims held, 0 of 0 aims reached; ", printed)
        self.assertTrue((self.out / "other" / "result.json").exists())

    def test_verbose_prints_every_column(self):
        shown = self.succeeds("lab", "run", "tiny", "--out", self.out)
        self.assertIn("Also measured (--verbose): ", shown)
        self.assertLessEqual(max(len(line) for line in shown.splitlines() if not line.startswith("/")), 100)
        everything = self.succeeds("lab", "run", "tiny", "--out", self.out, "--verbose")
        self.assertNotIn("Also measured", everything)
        self.assertRegex(everything, r"clock_error_ms_p99 ")

    def test_the_page_of_results(self):
        page = self.out / "report.html"
        printed = self.succeeds("lab", "run", "tiny", "--out", self.out)
        self.assertEqual(printed.splitlines()[-1], str(page))
        self.assertIn("the ledger is right", page.read_text())
        other = self.folder / "other.html"
        self.assertEqual(self.succeeds("report", self.out, "--out", other), f"{other}\n")
        self.assertEqual(other.read_text(), page.read_text())
        (self.out / "tiny" / "result.json").write_text("{")
        done = self.fray("report", self.out)
        self.assertEqual((done.returncode, done.stdout), (0, f"{page}\n"))
        self.assertRegex(done.stderr, r"\Afray: left out: [^\n]+/tiny/result.json: cut or damaged: [^\n]+\n\Z")
        self.is_refused("report", self.folder / "nowhere", says="nowhere: cannot be read")
        self.is_refused("report", self.folder, says="no results there")
        self.is_refused("report", self.out, "--out", "/proc/page.html")

    def test_long_cases_run_only_with_long(self):
        self.plan("tiny", PLAN.replace("[sweep]\npeers = [2, 3]", "[[case]]\npeers = 2\n[[case]]\npeers = 4\nlong = true"))
        self.succeeds("lab", "run", "tiny", "--out", self.out)
        self.assertEqual(len(self.result()["rows"]), 1)
        self.succeeds("lab", "run", "tiny", "--out", self.out, "--long")
        self.assertEqual(len(self.result("tiny.long")["rows"]), 2)
        self.assertEqual(len(self.result()["rows"]), 1)

    def test_a_broken_promise_is_a_failure(self):
        self.plan("tiny", PLAN.replace('paper = "0"', "must = true"))
        done = self.fray("lab", "run", "tiny", "--out", self.out)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("NO     promise  nobody sends anything", done.stdout)

    def test_every_plan_of_the_project_is_sound(self):
        done = subprocess.run([FRAY, "lab", "list"], capture_output=True, text=True,
                              env={**os.environ, "FRAY_PLANS": os.environ["FRAY_SOURCE_DIR"] + "/lab/plans"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("foundation_mesh", done.stdout)


class Stopping(Case):
    def start_long_run(self):
        self.plan("tiny", PLAN.replace("replications = 2", "replications = 60").replace("seconds = 2", "seconds = 8", 1))
        return subprocess.Popen([FRAY, "lab", "run", "tiny", "--out", str(self.out), "--jobs", "1"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment())

    def finished_runs(self):
        partial = self.out / "tiny" / "runs.partial.jsonl"
        return partial.read_text().count("\n") - 1 if partial.exists() else 0

    def wait_for_runs(self, process, count):
        deadline = time.monotonic() + 100
        while self.finished_runs() < count and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)

    def goes_on(self, kept):
        printed = self.succeeds("lab", "run", "tiny", "--out", self.out, "--jobs", 2)
        self.assertIn(f"120 runs, {kept} of them from before", printed)
        rows = (self.out / "tiny" / "rows.csv").read_bytes()
        self.succeeds("lab", "run", "tiny", "--out", self.folder / "at_once", "--jobs", 2)
        self.assertEqual((self.folder / "at_once" / "tiny" / "rows.csv").read_bytes(), rows)

    def test_after_ctrl_c_the_same_command_goes_on(self):
        process = self.start_long_run()
        self.wait_for_runs(process, 5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130)
        self.assertRegex(errors, r"fray: stopped; \d+ of 120 runs of tiny are kept in \S+\. The same command resumes")
        kept = int(re.search(r"stopped; (\d+) of", errors).group(1))
        self.assertGreaterEqual(kept, 5)
        self.goes_on(kept)

    def test_after_a_kill_too(self):
        process = self.start_long_run()
        self.wait_for_runs(process, 5)
        process.kill()
        process.communicate(timeout=100)
        kept = self.finished_runs()
        self.assertGreaterEqual(kept, 5)
        self.goes_on(kept)


class Replay(Case):
    def test_a_recording_replays_and_a_damaged_one_is_refused(self):
        self.succeeds("lab", "run", "tiny", "--out", self.out)
        result = self.result()
        printed = self.succeeds("lab", "run", "tiny", "--out", self.out, "--record")  # of a finished plan
        self.assertIn("recorded for fray replay: 2\n", printed)
        self.assertEqual(self.result(), result)
        recording = self.out / "tiny" / "recordings" / "case_1.frayrec"
        self.assertRegex(self.succeeds("replay", recording), r"replays to its hash [0-9a-f]{16}\n\Z")
        steps = self.succeeds("replay", recording, "--from", 1, "--to", 1.5, "--limit", 10)
        self.assertEqual(len(re.findall(r"^ +1\.\d+ s  \w+ +peer", steps, re.M)), 10)
        self.assertIn("more (--limit)", steps)
        cut = self.folder / "cut.frayrec"
        cut.write_bytes(recording.read_bytes()[:-7])
        self.is_refused("replay", cut, says="cut.frayrec")
        self.is_refused("replay", recording, "--from", 2, "--to", 1, says="--to must not be before --from")


if __name__ == "__main__":
    unittest.main()
