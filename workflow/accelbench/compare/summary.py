"""Two runs compared as tables: verdicts counted by kernel and backend, and one row a case."""

from collections import Counter

import pandas as pd

from accelbench.analysis.cases import CASE, describe, parameter_id
from accelbench.analysis.verdicts import FASTER, SLOWER, VERDICTS

NO_VERDICT = "none"
COUNTED = (*VERDICTS, NO_VERDICT)
COLUMNS = (
    *(name for name in CASE if name != "machine"), "parameters", "first_s", "second_s", "ratio", "ratio_ci_low",
    "ratio_ci_high", "verdict", "by", "first_processes", "second_processes", "note", "case",
)  # fmt: skip


def verdict(pair):
    return pair.compared.verdict or NO_VERDICT


def called(runs):
    """The pairs that are FASTER or SLOWER, the slowest first."""
    found = (pair for pair in runs.pairs if pair.compared.verdict in (FASTER, SLOWER))
    return sorted(found, key=lambda pair: pair.compared.ratio)


def share_called(runs):
    """Which share of the pairs with a verdict is FASTER or SLOWER: between runs of the same thing, false alarms."""
    judged = sum(pair.compared.verdict is not None for pair in runs.pairs)
    return len(called(runs)) / judged if judged else None


def counts(runs):
    """[((kernel, backend), {verdict: number of cases})], and the total last, under the key ("all", "")."""
    found = {}
    for pair in runs.pairs:
        record = pair.first.record
        found.setdefault((record.kernel, record.backend), Counter())[verdict(pair)] += 1
    return [*sorted(found.items()), (("all", ""), sum(found.values(), Counter()))]


def label(case):
    """What a person calls a case within its kernel: implementation, dtype, size, and what it was run with."""
    record = case.record
    words = [record.implementation, record.dtype, str(record.size)]
    words += [f"{name}={value}" for name, value in sorted(record.options.items())]
    return " ".join([*words, parameter_id(case).replace("/", " ")])


def table(runs):
    """A DataFrame with COLUMNS: the pairs, then what only one run has a time for.

    Seconds are geometric means over processes of their medians; ratio is first_s / second_s, of times or, where `by` is
    relative, of times divided by the baseline's; intervals are of 95 %.
    """
    rows = [_pair_row(pair) for pair in runs.pairs] + [_alone_row(alone) for alone in runs.alone]
    return pd.DataFrame(rows, columns=COLUMNS)


def _pair_row(pair):
    compared = pair.compared
    return {
        **_case(pair.first),
        "first_s": pair.first.seconds("compute"),
        "second_s": pair.second.seconds("compute"),
        "ratio": compared.ratio,
        "ratio_ci_low": compared.low,
        "ratio_ci_high": compared.high,
        "verdict": compared.verdict,
        "by": pair.by,
        "first_processes": len(pair.first.times("compute")),
        "second_processes": len(pair.second.times("compute")),
        "note": pair.note or None,
    }


def _alone_row(alone):
    which = ("first", "second")[alone.run]
    other = ("second", "first")[alone.run]
    return {
        **_case(alone.case),
        f"{which}_s": alone.case.seconds("compute"),
        f"{which}_processes": len(alone.case.times("compute")),
        "note": f"{other} run: {alone.reason}",
    }


def _case(case):
    said = {name: value for name, value in describe(case).items() if name != "machine"}
    return {**said, "parameters": parameter_id(case), "case": case.id}
