"""Table of two compared runs, with a row per case."""

from accelbench.analysis.cases import parameter_id
from accelbench.analysis.rows import CASE, describe

COLUMNS = (
    *(column for column in CASE if column not in ("machine", "environment")),
    *("parameters", "first_s", "second_s", "ratio", "ratio_ci_low", "ratio_ci_high", "verdict", "by"),
    *("first_processes", "second_processes", "note", "case"),
)


def table(runs):
    """Return a DataFrame of a RunComparison: first the pairs, then the cases that have a time in only one run.

    Seconds are geometric means over repetitions of the median times without the effects of rounds (`Case.levels`).
    `ratio` is the first run's time divided by the second run's time. If `by` is "relative", both times are first
    divided by the baseline's time. Intervals are 95 % confidence intervals.
    """
    import pandas as pd  # imported lazily, since `compare` without a table does not need pandas

    rows = []
    for pair in runs.pairs:
        ratio = dict(zip(("ratio", "ratio_ci_low", "ratio_ci_high", "verdict"), pair.compared, strict=False))
        rows.append(
            {
                **_describe(pair.second, "second"),
                **_describe(pair.first, "first"),
                **ratio,
                "by": pair.by,
                "note": pair.note or None,
            }
        )
    for alone in runs.alone:
        which, other = ("first", "second") if alone.run == 0 else ("second", "first")
        rows.append(_describe(alone.case, which) | {"note": f"{other} run: {alone.reason}"})
    return pd.DataFrame(rows, columns=COLUMNS)


def _describe(case, run):
    """Return the columns of a case. `run` names the run in which the case has a time: "first" or "second"."""
    time = {f"{run}_s": case.seconds("compute"), f"{run}_processes": len(case.samples("compute"))}
    return {**describe(case, CASE), "parameters": parameter_id(case), "case": case.id, **time}
