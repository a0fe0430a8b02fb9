"""How far two runs of a machine differ, in words."""

from collections import defaultdict

from accelbench.analysis.scatter import DEVICE, HOST, KINDS, MIXED

WHOSE = {HOST: "times of its cores", DEVICE: "times of a device", MIXED: "a device over its cores"}


def told(spreads, kinds) -> str:
    """What two runs of a machine differ by beyond what their repetitions explain, from {kind: RunSpread}, for those of
    these `kinds`; what was not seen on this machine is said to be borrowed."""
    by_source = defaultdict(list)
    for kind in KINDS:
        if kind in kinds:
            by_source[_source(spreads[kind])].append(f"{spreads[kind].deviation:.1%} ({WHOSE[kind]})")
    told = (f"{', '.join(values)}, {source}" for source, values in by_source.items())
    return "; ".join(told).replace("%", "\N{NO-BREAK SPACE}%")


def _source(spread):
    return f"seen in {spread.runs} runs" if spread.runs else "borrowed from machines of its kind"
