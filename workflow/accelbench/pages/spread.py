"""Sentence on the difference between two runs of a machine."""

from collections import defaultdict

from accelbench.analysis.priors import DEVICE, DEVICE_10_US, DEVICE_25_US, HOST, LEAST_SPREADS, MIXED, family

WHOSE = {  # {kind of ratio: its name in the sentence}
    HOST: "times on cores",
    DEVICE: "times on a device",
    DEVICE_25_US: "calls on a device that take 10 to 25 µs",
    DEVICE_10_US: "calls on a device that take at most 10 µs",
    MIXED: "a device over the cores",
}


def sentence(spreads, kinds) -> str:
    """Return a text with the standard deviation of each kind of ratio between two runs, and the source of the number.

    The standard deviation excludes the variance of repetitions within a run. The source is the runs of this machine,
    other machines of the same kind, or the minimum that the analysis assumes.

    spreads  {kind of ratio: RunSpread}
    kinds    kinds of ratios to include
    """
    by_source, kinds = defaultdict(list), {kind if kind in spreads else family(kind) for kind in kinds}
    for kind in WHOSE:
        if kind in kinds:
            by_source[_source(spreads[kind], LEAST_SPREADS[family(kind)])].append(
                f"{spreads[kind].deviation:.1%} ({WHOSE[kind]})"
            )
    return "; ".join(f"{', '.join(values)}, {source}" for source, values in by_source.items()).replace(
        "%", "\N{NO-BREAK SPACE}%"
    )


def _source(spread, least):
    if not spread.runs:
        return "estimated from machines of this kind"
    if spread.deviation <= least:
        return (
            f"the assumed minimum: {spread.runs} runs differ by at most this beyond the variance of their repetitions"
        )
    return f"estimated from {spread.runs} runs"
