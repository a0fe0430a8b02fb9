"""That the numbers are true, put to the test: `make truth`, or `python tests/truth [PART ...]`.

slowdowns  twins that do a known part more than the original: whether that is seen, side by side and between sweeps
unrest     whether a disturbed machine is noticed, and a quiet one left in peace
cost       what measuring, tables and report take, at 100, 1,000 and 5,000 cases
others     the same calls timed by timeit, pyperf, CuPy's profiler, PyTorch's events, Triton and OpenCL's events; those
           of today's libraries by their own profilers, where our own Python has them
sweeps     what one or two sweeps of the same thing, folders of results, say of the measuring itself

Each ends with a table of what was measured beside what is wanted; exit status 1 where that is not met.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))

import cost
import others
import slowdowns
import sweeps
import unrest
from planting import print_table

PARTS = {
    "slowdowns": slowdowns.rows,
    "unrest": unrest.rows,
    "cost": cost.rows,
    "others": others.rows,
    "sweeps": sweeps.rows,
}


def main():
    parser = argparse.ArgumentParser(
        prog="tests/truth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help="those above; all where none is named (sweeps with --folders)"
    )
    parser.add_argument("--folders", nargs="+", type=Path, default=[], help="one or two of results, for sweeps")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_000)
    parser.add_argument("--count", type=int, help="sweeps of slowdowns; repetitions of unrest; the most cases of cost")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}")
    if len(options.folders) > 2 or ("sweeps" in options.parts and not options.folders):
        parser.error("sweeps wants one or two folders of results: --folders results/local")
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
