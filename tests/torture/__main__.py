"""Test that faults lose no data: `make torture`, or `python tests/torture [PART ...]`.

At the end, the program prints the numbers of trials and of failures of each kind. The exit status is 1 after any
failure.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import configurations
import faults
import kills
import mutations
from tally import KINDS, Tally


def torture_faults(tally, options, folder):
    """Run one sweep with faults for each of these devices that exists: the host, its OpenCL device, the GPU."""
    tally.command(["-m", "accelbench", "machine"], folder, timeout_s=120)
    machine = json.loads((folder / "results/local/machine.json").read_text())["backends"]
    devices = faults.devices(machine)
    for device in options.devices or devices:
        (folder / device).mkdir()
        planted = faults.chosen(device, machine, random.Random(options.seed), options.count or 120)
        faults.torture(tally, folder / device, device, devices[device], planted)


def torture_kills(tally, options, folder):
    """Kill each kind of process by kill -9 at random moments."""
    kills.torture(tally, folder, options.seed, options.count or 50)


def torture_configurations(tally, options, folder):
    """Read mutated and absurd configurations."""
    counts = configurations.run(options.seed, options.count or 400)
    tally.tried["configurations"] = counts.pop("configurations")
    for what, count in counts.items():
        tally.wrong += [(what if what in KINDS else "other than declared", what)] * count


def torture_mutations(tally, options, folder):
    """Read damaged and malicious result files."""
    mutations.torture(tally, options.seed, options.count or 300, folder)


PARTS = {
    "faults": torture_faults,
    "kills": torture_kills,
    "configurations": torture_configurations,
    "mutations": torture_mutations,
}


def main():
    parser = argparse.ArgumentParser(prog="tests/torture", description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; default: all")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_000)
    parser.add_argument("--devices", nargs="+", choices=list(faults.FAULTS), help="devices of faults; default: all")
    parser.add_argument("--count", type=int, help="trials of a part, per device (faults) or per victim (kills)")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}. Known: {', '.join(PARTS)}")
    print(f"seed {options.seed}", flush=True)
    rows = []
    for part in options.parts or PARTS:
        print(f"{part} ...", flush=True)
        tally, begin = Tally(), time.monotonic()
        with tempfile.TemporaryDirectory(prefix="accelbench-torture-") as folder:
            PARTS[part](tally, options, Path(folder))
        rows.append((part, tally, time.monotonic() - begin))
    print_table(rows)
    sys.exit(any(tally.wrong for _, tally, _ in rows))


def print_table(rows):
    """Print the counts as a Markdown table, as in docs/reliability.md."""
    print(f"\n| part | tried | {' | '.join(KINDS)} | s |\n|{'---|' * (len(KINDS) + 3)}")
    for part, tally, seconds in rows:
        tried = ", ".join(f"{count} {what}" for what, count in tally.tried.items())
        counts = [sum(kind == other for other, _ in tally.wrong) for kind in KINDS]
        print(f"| {part} | {tried} | {' | '.join(map(str, counts))} | {seconds:.0f} |")


if __name__ == "__main__":
    main()
