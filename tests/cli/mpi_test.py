"""The same runs over two MPI ranks give the same rows as one process."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from command_line_test import PLAN

FRAY = os.environ["FRAY_BIN"]
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", FRAY]


def run(command, folder):
    environment = {**os.environ, "FRAY_PLANS": str(folder), "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    return subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment, timeout=200)


def main():
    linked = subprocess.run(["ldd", FRAY], capture_output=True, text=True).stdout
    if shutil.which("mpirun") is None or "libmpi" not in linked or os.environ.get("FRAY_SANITIZE"):
        print("built without MPI, or no mpirun: nothing to test")
        return 77  # shown as skipped
    with tempfile.TemporaryDirectory(prefix="fray_mpi_") as name:
        folder = Path(name)
        (folder / "tiny.toml").write_text(PLAN.replace("replications = 2", "replications = 5"))
        (folder / "other.toml").write_text(PLAN.replace('"tiny"', '"other"'))
        plans = ["lab", "run", "tiny", "other"]
        one = run([FRAY, *plans, "--out", folder / "one", "--jobs", 1], folder)
        two = run([*MPIRUN, *plans, "--out", folder / "two"], folder)
        for done in (one, two):
            assert done.returncode == 0, done.stdout + done.stderr
        for plan in ("tiny", "other"):
            results = [json.loads((folder / out / plan / "result.json").read_text()) for out in ("one", "two")]
            for key in ("columns", "rows", "expected"):
                assert results[0][key] == results[1][key], f"{plan}: {key} differ"
            assert (folder / "one" / plan / "rows.csv").read_bytes() == (folder / "two" / plan / "rows.csv").read_bytes()
        bad = run([*MPIRUN, "lab", "run", "nonsense"], folder)
        assert bad.returncode == 2 and bad.stderr.count("fray: no plan nonsense") == 1, bad.stderr
    print("two ranks, the same rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
