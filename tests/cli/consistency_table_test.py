"""What the consistency table promises, in full: every claim that must hold is checked by the program itself."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

FRAY = os.environ["FRAY_BIN"]
ALGORITHMS = ("centralized_serialization", "everquest", "local_lag", "half_life", "bucket_sync", "adaptive")
COLUMNS = ("algorithm", "rtt_ms", "state_divergence_pct", "state_divergence_owner_pct", "propagation_ms",
           "corrections_pct_per_s", "corrections_per_s", "response_ms", "animation_ms", "visible_jump_pct")


class ConsistencyTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        out = Path(tempfile.mkdtemp(prefix="fray_table_"))
        cls.addClassCleanup(shutil.rmtree, out)
        plans = Path(os.environ["FRAY_SOURCE_DIR"]) / "lab" / "plans"
        cls.done = subprocess.run([FRAY, "lab", "run", "consistency_table", "--out", str(out)], capture_output=True,
                                  text=True, env={**os.environ, "FRAY_PLANS": str(plans)}, timeout=280)
        result = out / "consistency_table" / "result.json"
        cls.result = json.loads(result.read_text()) if result.exists() else None

    def test_every_promise_holds(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout + self.done.stderr)
        promised = [claim for claim in self.result["expected"] if claim["kind"] == "promise"]
        self.assertGreaterEqual(len(promised), 100)
        for claim in promised:
            with self.subTest(claim["claim"]):
                self.assertIs(claim["holds"], True)

    def test_all_algorithms_at_all_latencies_with_all_columns(self):
        self.assertIsNotNone(self.result, self.done.stdout + self.done.stderr)
        columns = self.result["columns"]
        for name in COLUMNS:
            self.assertIn(name, columns)
        rows = [dict(zip(columns, row, strict=True)) for row in self.result["rows"]]
        self.assertEqual(sorted((row["algorithm"], row["rtt_ms"]) for row in rows),
                         sorted((algorithm, rtt) for algorithm in ALGORITHMS for rtt in (0, 33, 323)))
        for row in rows:
            for name in COLUMNS[2:]:
                self.assertIsInstance(row[name], (int, float), f"{row['algorithm']} {row['rtt_ms']} {name}")
        self.assertEqual(self.result["replications"], 10)


if __name__ == "__main__":
    unittest.main()
