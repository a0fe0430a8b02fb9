"""Number of ok cases of each implementation, and each case that is not ok, with the reason.

A row stands for all ok cases of an implementation, or for one case that is not ok. `cases` is the number of cases for
which a row stands. The sum of this column is the number of all cases.
"""

from collections import Counter

from accelbench.analysis.rows import columns, describe

COLUMNS = columns(
    ("machine kernel implementation outcome", str),
    ("cases", int),
    ("options device", str),
    ("size", int),
    ("dtype block_size", str),
    ("threads", int),
    ("reason case", str),
)


def rows(analysis):
    ok = Counter((c.record.machine, c.record.kernel, c.record.implementation) for c in analysis.cases if c.ok)
    table = [
        {"machine": machine, "kernel": kernel, "implementation": implementation, "outcome": "ok", "cases": count}
        for (machine, kernel, implementation), count in ok.items()
    ]
    table += [describe(case, COLUMNS) | {"cases": 1} for case in analysis.cases if not case.ok]
    return sorted(table, key=lambda row: (row["kernel"], row["implementation"], row["outcome"] != "ok"))
