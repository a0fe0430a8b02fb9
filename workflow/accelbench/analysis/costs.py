"""What it costs: startup.csv (to get there), launch.csv (to ask a device for anything), outcomes.csv (what did not
work) and measuring.csv (to find out)."""

from collections import defaultdict

from accelbench.analysis.cases import CASE, describe, has_default_block
from accelbench.analysis.limits import is_limit

STARTUP_COLUMNS = {
    "machine": "str",
    "kernel": "str",
    "implementation": "str",
    "backend": "str",
    "device": "str",
    "dtype": "str",
    "threads": "int",
    "import_s": "float",
    "context_s": "float",
    "build_s": "float",
    "first_call_s": "float",
    "first_call_extra_s": "float",
    "startup_s": "float",
    "compile_s": "float",
    "source_lines": "int",
}
LAUNCH_COLUMNS = {
    **CASE,
    "launch_s": "float",
    "launch_ci_low_s": "float",
    "launch_ci_high_s": "float",
    "call_s": "float",
    "call_ci_low_s": "float",
    "call_ci_high_s": "float",
    "case": "str",
}
OUTCOMES_COLUMNS = {
    "machine": "str",
    "kernel": "str",
    "implementation": "str",
    "outcome": "str",
    "cases": "int",
    "options": "str",
    "device": "str",
    "size": "int",
    "dtype": "str",
    "block_size": "str",
    "threads": "int",
    "reason": "str",
    "case": "str",
}
MEASURING_COLUMNS = {
    "machine": "str",
    "kernel": "str",
    "runs": "int",
    "cases": "int",
    "wall_s": "float",
    "in_samples_s": "float",
    "in_samples_share": "float",
    "wall_per_case_s": "float",
}
PARTS = ("import_s", "context_s", "build_s", "first_call_s", "first_call_extra_s")
TOTAL = "total"


class Startup:
    """What implementations cost before they run at speed. `rows` are those of startup.csv.

    Importing and opening a device happen once a process, just-in-time compilation once a process and dtype, whichever
    size comes first; so each part is the largest seen among the cases of an implementation, device, dtype and thread
    count. `first_call_extra_s` is what a first call took beyond a later one, `startup_s` the sum of import, context,
    build and that; `compile_s` went into building ahead of time, all files of the implementation together.
    """

    def __init__(self, cases, cards):
        groups = defaultdict(list)
        for case in cases:
            if case.ok and case.record.startup:
                groups[self._key(case)].append(case)
        self._rows = {key: _startup_row(group, cards) for key, group in groups.items()}

    @property
    def rows(self):
        return sorted(self._rows.values(), key=lambda row: [row[name] or 0 for name in STARTUP_COLUMNS][1:7])

    def seconds(self, case):
        """The start-up of a case's implementation in seconds, or None where none was recorded."""
        return self._rows.get(self._key(case), {}).get("startup_s")

    def _key(self, case):
        r = case.record
        return r.kernel, r.implementation, r.device, r.dtype, r.threads


def launch(cases):
    """Rows of launch.csv: what a launch costs the host that does not wait for it, and a call with waiting.

    Per implementation, device and dtype, at the smallest size. Of several block sizes it is the common default, where
    that was measured: a choice by time would favour the luckiest.
    """
    groups = defaultdict(list)
    for case in cases:
        if not is_limit(case.record.kernel) and case.ok and {"launch", "call"} <= case.record.timings.keys():
            r = case.record
            groups[r.kernel, describe(case)["options"], r.dtype, r.implementation, r.device].append(case)
    rows = []
    for group in groups.values():
        case = min(group, key=lambda case: (case.record.size, not has_default_block(case)))
        row = {**describe(case), "case": case.id}
        for kind in ("launch", "call"):
            timing = case.record.timings[kind]
            row |= {
                f"{kind}_s": timing.median_s,
                f"{kind}_ci_low_s": timing.ci_low_s,
                f"{kind}_ci_high_s": timing.ci_high_s,
            }
        rows.append(row)
    return rows


def outcomes(cases):
    """Rows of outcomes.csv, whose `cases` add up to all: one for the ok cases of an implementation, one for each
    case that is not ok, with its reason and name."""
    succeeded, failed = defaultdict(int), []
    for case in cases:
        if case.ok:
            succeeded[case.record.machine, case.record.kernel, case.record.implementation] += 1
        else:
            row = {name: value for name, value in describe(case).items() if name in OUTCOMES_COLUMNS}
            about = {"outcome": case.record.outcome, "cases": 1, "reason": case.record.reason, "case": case.id}
            failed.append({**row, **about})
    empty = dict.fromkeys(OUTCOMES_COLUMNS)
    rows = [
        {**empty, "machine": machine, "kernel": kernel, "implementation": name, "outcome": "ok", "cases": count}
        for (machine, kernel, name), count in succeeded.items()
    ]
    return sorted(rows + failed, key=lambda row: (row["kernel"], row["implementation"], row["outcome"] != "ok"))


def measuring(cards, machine):
    """Rows of measuring.csv: per kernel, over all its runs, and in total. `cases` were measured in those runs, so a
    case measured again counts again; what one more case costs is `wall_per_case_s`."""
    rows = []
    for kernel, card in cards.items():
        runs = card.get("runs", [])
        sums = {name: sum(run[name] for run in runs) for name in ("cases", "wall_s", "in_samples_s")}
        rows.append({"kernel": kernel, "runs": len(runs), **sums})
    total = {name: sum(row[name] for row in rows) for name in ("runs", "cases", "wall_s", "in_samples_s")}
    for row in (*rows, {"kernel": TOTAL, **total}):
        yield {
            "machine": machine,
            **row,
            "in_samples_share": row["in_samples_s"] / row["wall_s"] if row["wall_s"] else None,
            "wall_per_case_s": row["wall_s"] / row["cases"] if row["cases"] else None,
        }


def _startup_row(group, cards):
    r = group[0].record
    parts = dict.fromkeys(PARTS)
    for case in group:
        startup = case.record.startup.model_dump()
        first, later = startup["first_call_s"], case.seconds("call")
        startup["first_call_extra_s"] = None if first is None or later is None else max(0.0, first - later)
        for name in PARTS:
            if startup[name] is not None:
                parts[name] = max(startup[name], parts[name] or 0.0)
    counted = [value for name, value in parts.items() if name != "first_call_s" and value is not None]
    row = {name: value for name, value in describe(group[0]).items() if name in STARTUP_COLUMNS}
    return {
        **row,
        **parts,
        "startup_s": sum(counted) if counted else None,
        "compile_s": _compile_s(cards[r.kernel], r.implementation, r.device),
        "source_lines": r.source_lines,
    }


def _compile_s(card, implementation, device):
    """Seconds its builds took, of OpenCL programs the one for its device; None where nothing was built."""
    builds = card.get("implementations", {}).get(implementation, {}).get("build") or []
    seconds = [b["seconds"] for b in builds if b.get("seconds") is not None and b.get("device") in (None, device)]
    return sum(seconds) if seconds else None
