"""Winner or tie of each problem by each kind of time, among the best cases of all implementations.

A row has the fastest implementation of a problem (`fastest`) by one kind of time (`timing`). The class choosing.Best
explains `tie`, `undetermined` and `incomparable`. To avoid bias, each repetition reports the time of the case that is
fastest in the other repetitions. `seconds` and the speedup are computed from these times. `device`, `block_size`,
`threads` and `case` describe the best case of `fastest`. `baseline` is the implementation to which the speedup refers.
"""

from accelbench.analysis.cases import PINNED, baseline_name
from accelbench.analysis.choices import TIMINGS, measured_pinned
from accelbench.analysis.choosing import WINNER
from accelbench.analysis.rows import PROBLEM, columns, describe, speedup_columns

COLUMNS = PROBLEM | columns(
    ("timing decision winner tie undetermined fastest device block_size", str),
    ("threads", int),
    ("seconds", float),
    ("baseline", str),
    ("speedup speedup_ci_low speedup_ci_high speedup_next_low speedup_next_high", float),
    ("verdict", str),
    ("candidates incomparable", int),
    ("case tie_cases", str),
)


def rows(analysis):
    pinned = measured_pinned(analysis.cases)
    table = [
        _row(cases[0], kind, analysis.fastest(kind).get(problem))
        for kind in (*TIMINGS, PINNED)
        for problem, cases in analysis.problems.items()
        if kind != PINNED or problem in pinned
    ]
    return sorted(table, key=lambda row: (row["kernel"], row["options"], row["dtype"], row["size"]))


def _row(case, kind, best):
    if best is None:
        nothing = {"timing": kind, "decision": "no_result", "candidates": 0, "incomparable": 0}
        return describe(case, PROBLEM) | nothing | {"baseline": baseline_name(case)}
    name = best.case.record.implementation
    return {
        **describe(best.case, COLUMNS),
        "timing": kind,
        "decision": best.decision,
        "winner": name if best.decision == WINNER else None,
        "tie": _names(best.tie) or None,
        "undetermined": _names(best.undetermined) or None,
        "fastest": name,
        "seconds": best.seconds,
        "baseline": baseline_name(case),
        **speedup_columns(best.speedup),
        "candidates": best.candidates,
        "incomparable": len(best.incomparable),
        "tie_cases": " ".join(case.id for case in best.tie) or None,
    }


def _names(cases):
    return " ".join(dict.fromkeys(case.record.implementation for case in cases))
