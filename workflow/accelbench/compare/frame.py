"""Two runs compared as a table, a row a case."""

from accelbench.analysis.cases import parameter_id
from accelbench.analysis.rows import CASE, describe

COLUMNS = (
    *(column for column in CASE if column not in ("machine", "environment")),
    *("parameters", "first_s", "second_s", "ratio", "ratio_ci_low", "ratio_ci_high", "verdict", "by"),
    *("first_processes", "second_processes", "note", "case"),
)


def table(runs):
    """A DataFrame with COLUMNS: the pairs, then what only one run has a time for.

    Seconds are geometric means over processes of their medians; ratio is first_s / second_s, of times or, where `by` is
    relative, of times divided by the baseline's; intervals are of 95 %.
    """
    import pandas as pd  # here: `compare` prints without it

    rows = [_pair_row(pair) for pair in runs.pairs] + [_unpaired_row(alone) for alone in runs.alone]
    return pd.DataFrame(rows, columns=COLUMNS)


def _pair_row(pair):
    compared = pair.compared
    return {
        **_describe(pair.first),
        **_time("first", pair.first),
        **_time("second", pair.second),
        "ratio": compared.ratio,
        "ratio_ci_low": compared.low,
        "ratio_ci_high": compared.high,
        "verdict": compared.verdict,
        "by": pair.by,
        "note": pair.note or None,
    }


def _unpaired_row(alone):
    which, other = ("first", "second") if alone.run == 0 else ("second", "first")
    return {**_describe(alone.case), **_time(which, alone.case), "note": f"{other} run: {alone.reason}"}


def _time(run, case):
    return {f"{run}_s": case.seconds("compute"), f"{run}_processes": len(case.samples("compute"))}


def _describe(case):
    return {**describe(case, CASE), "parameters": parameter_id(case), "case": case.id}
