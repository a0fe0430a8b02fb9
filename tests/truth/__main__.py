"""Test whether measured times are true: `make truth`, or `python tests/truth [PART ...]`.

slowdowns  twins that do a known amount of extra work: are the slowdowns found within a sweep and between sweeps?
unrest     share of noisy cases on a quiet machine and on a disturbed one
cost       time of measuring, tables and report, at 100, 1,000 and 5,000 cases
others     the same calls timed by timeit, pyperf, CuPy's profiler, PyTorch's events, Triton and OpenCL's events; calls
           of today's libraries timed by these libraries' profilers, if installed
races      racing against a planted truth: coverage of intervals, false verdicts, and first looks
replay     published sweeps, or the folders of --folders, under racing: share of samples still needed, and answers
           that change
sweeps     false alarms and widths of intervals in one or two sweeps of the same thing, given as folders of results

At the end, the program prints one table with the measured values and targets of all parts. The exit status is 1 if a
target is missed.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import cost
import others
import races
import replay
import slowdowns
import sweeps
import unrest
from planting import print_table

PARTS = {
    "slowdowns": slowdowns.rows,
    "unrest": unrest.rows,
    "cost": cost.rows,
    "others": others.rows,
    "races": races.rows,
    "replay": replay.rows,
    "sweeps": sweeps.rows,
}


def main():
    parser = argparse.ArgumentParser(
        prog="tests/truth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help="parts above; default: all (sweeps only with --folders)"
    )
    parser.add_argument("--folders", nargs="+", type=Path, default=[], help="folders of results, for sweeps and replay")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_000)
    parser.add_argument(
        "--count",
        type=int,
        help="number of sweeps (slowdowns, races) or repetitions (unrest), or maximum number of cases (cost)",
    )
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}. Known: {', '.join(PARTS)}")
    if len(options.folders) > 2 or ("sweeps" in options.parts and not options.folders):
        parser.error("sweeps needs one or two folders of results: --folders results/local")
    print(f"seed {options.seed}", flush=True)
    rows = []
    for part in options.parts or [part for part in PARTS if part != "sweeps" or options.folders]:
        print(f"{part} ...", flush=True)
        with tempfile.TemporaryDirectory(prefix="accelbench-truth-") as folder:
            rows += PARTS[part](Path(folder), options)
    print_table(rows)
    sys.exit(any(row.met is False for row in rows))


if __name__ == "__main__":
    main()
