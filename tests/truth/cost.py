"""Times of building, measuring, merging and reporting sweeps of one kernel with short samples at many sizes."""

import json

from planting import Row, at_most, command, plant, sweep

COUNTS = (100, 1_000, 5_000)
IMPLEMENTATIONS = 10  # number of implementations, including the original
PROTOCOL = {"repetitions": 1, "startup": False, "budget_s": 0.002, "min_rounds": 3, "sample_s": 0.0005}
PLAN_S, NOTHING_S, REPORT_S = 3.0, 5.0, 20.0
LINEAR = 1.2  # maximum time per case in the largest sweep, relative to the smallest sweep


def _seconds(what, seconds, limit):
    return Row(what, f"{seconds:.1f} s", f"<= {limit:.0f} s", seconds <= limit)


def rows(folder, options):
    """Return the rows of sweeps with each number of cases, up to the requested number."""
    table, per_case = [], []
    for count in [count for count in COUNTS if count <= (options.count or COUNTS[-1])]:
        place = folder / str(count)
        passes = {f"numpy_twin{number}": 1 for number in range(1, IMPLEMENTATIONS)}
        plant(place, passes, sizes=list(range(1, count // IMPLEMENTATIONS + 1)), protocol=PROTOCOL)
        measuring, home = sweep(place)
        measuring_alone = sum(json.loads(path.read_text())["wall_s"] for path in home.glob("repetitions/*/*.json"))
        merging = command(place, "accelbench", "merge", "passes", "--configfile", "own.yaml")
        rest, _ = sweep(place, target=None)
        report = command(place, "accelbench", "report", "--configfile", "own.yaml", "--reports", "again")
        nothing, _ = sweep(place, target=None)
        plan = command(place, "accelbench", "run", "--configfile", "own.yaml", "-n")
        per_case.append(measuring / count)
        print(f"{count} cases: {measuring + rest:.0f} s", flush=True)
        table += [
            Row(f"{count} cases: building and measuring, per case", f"{1000 * measuring / count:.1f} ms"),
            Row(f"{count} cases: measuring alone, per case", f"{1000 * measuring_alone / count:.1f} ms"),
            Row(f"{count} cases: merging, per case", f"{1000 * merging / count:.1f} ms"),
            Row(f"{count} cases: tables and report by the workflow", f"{rest:.1f} s"),
            _seconds(f"{count} cases: the report", report, REPORT_S),
            _seconds(f"{count} cases: a run with nothing to do", nothing, NOTHING_S),
            _seconds(f"{count} cases: a dry run (-n)", plan, PLAN_S),
        ]
    if len(per_case) > 1:
        table.append(
            at_most("time per case of the largest sweep, relative to the smallest", per_case[-1] / per_case[0], LINEAR)
        )
    return table
