"""Figures of block sizes, from Cases."""

from dataclasses import replace

from accelbench.analysis.cases import format_block_size, is_launch_bound
from accelbench.analysis.choices import by_all_but_block, group_by
from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.strips import Dot, Strip
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS

DEFAULTS = tuple(map(str, DEFAULT_BLOCKS))
MOST_ROWS = 14  # that are drawn; all stand in the table
LONGEST_NAME = 16  # of a device in a title


def plots(series):
    """Yield ("blocks", Plot) for each device: what other blocks than the best cost at the largest size."""
    analysis = series.analysis
    bests = [best for best, _, _ in analysis.regrets if series.family.holds(best.case)]
    devices = group_by(bests, lambda best: best.case.record.device)
    for device, own in devices.items():
        size = max(best.case.record.size for best in own)
        swept = {best: _slowdowns(series, best) for best in _one_each(b for b in own if b.case.record.size == size)}
        swept = {best: slowdowns for best, slowdowns in swept.items() if len(slowdowns) > 2}  # two need no figure
        if swept:
            named = device if len(device) <= LONGEST_NAME else analysis.short_devices[device]
            where = f", {named}" if len(devices) > 1 or analysis.gpus else ""
            plot = _strip(series, swept, f"{series.family.title}, size {style.size(size)}{where}")
            suffix = f"-{style.slug(analysis.short_devices[device])}" if where else ""
            yield "blocks", replace(plot, name=f"{plot.name}{suffix}")


def _one_each(bests):
    """Of an implementation's further parameters and numbers of threads the best ones."""
    found = {}
    for best in sorted(bests, key=lambda best: best.seconds):
        found.setdefault(best.case.record.implementation, best)
    return list(found.values())


def _slowdowns(series, best):
    """{block size: how many times as long as with the best one it takes}."""

    timed = (case for case in series.cases if BLOCK_SIZE in case.record.settings and case.seconds("compute"))
    own = [case for case in timed if by_all_but_block(case) == by_all_but_block(best.case)]
    own.sort(key=lambda case: case.record.settings[BLOCK_SIZE].rank)
    return {format_block_size(case): case.seconds("compute") / best.case.seconds("compute") for case in own}


def _strip(series, swept, heading):
    label = (lambda case: case.record.implementation) if series.analysis.gpus else series.label
    told = {best: (label(best.case), format_block_size(best.case)) for best in swept}
    blocks = list(dict.fromkeys(block for slowdowns in swept.values() for block in slowdowns))
    numbers = [
        [*told[best], *(style.ratio(slowdowns.get(block)) for block in blocks)] for best, slowdowns in swept.items()
    ]
    rows = [
        (
            " ".join(told[best]),
            [
                Dot(value, f"{block}: {style.ratio(value)}", style.color(best.case.record.backend), "o",
                    "none" if block in DEFAULTS else "full")
                for block, value in slowdowns.items()
            ],
        )
        for best, slowdowns in list(swept.items())[:MOST_ROWS]
    ]  # fmt: skip
    signs = (
        ("o", "full", "a block"),
        ("o", "none", f"the default, {' or '.join(block for block in DEFAULTS if block in blocks)}"),
    )
    table = Table(["implementation", "best", *blocks], numbers)
    chart = Strip(rows, "times as long as with its best block, named beside it", "x", table, signs)
    resident, where = series.resident
    words = f"how many times as long as with its best block each implementation takes{where}. "
    words += f"Best: {', '.join(map(' '.join, told.values()))}."
    bound = dict.fromkeys(best.case.record.implementation for best in swept if is_launch_bound(best.case))
    note = f"At their best as fast as the host can launch them: {', '.join(bound)}." if bound else ""
    title = f"What other blocks than the best cost{resident}"
    return series.plot("blocks", chart, title=title, words=words, heading=heading, note=note)
