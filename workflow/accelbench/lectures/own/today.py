"""Figures that belong to no lecture: bandwidths of backends, and slowdowns in newer versions of libraries.

The figure of bandwidths has a heat map for each device, with a row for each backend and a column for each row of the
figure's entry in config/figures.yaml. A cell shows the bandwidth of the backend's fastest case at the largest size, in
percent of the fastest copy on the device. The figure of versions has a row for each kernel, implementation, device and
pair of successive versions.
"""

import re
from functools import partial
from itertools import pairwise

import pandas as pd

from accelbench.analysis.choices import group_by
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER
from accelbench.figures import canvas, cells, strips, style
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures.measured import fastest, largest
from accelbench.lectures.views import View, by_reason, device_name, nothing

OVER = "copy"  # Label of the entry's row whose highest bandwidth on a device is 100 %
ROW, GAP = 18, 74  # Height of a row, and gap between the maps of two devices, in points


def stream(entry, results):
    """Return the View of bandwidths, with a heat map for each device on which the row `copy` was measured."""
    labels, own_cores = [row.label for row in entry.rows], results.machine.hardware
    placed = [
        (case.record.device if case.on_accelerator else own_cores, case.record.backend, row.label, case)
        for row in entry.rows
        for case in results.matching(row.implementation, kernel=row.kernel, dtype=row.dtype)
    ]
    groups = group_by(sorted(placed, key=lambda cell: cell[0] != own_cores), lambda cell: cell[:3])
    cases = {key: [case for *_, case in group] for key, group in groups.items()}
    measured = {key: largest([case for case in group if case.ok]) for key, group in cases.items()}
    values = {key: fastest(measured[key] or group, entry.time) for key, group in cases.items()}
    texts = {key: results.text(style.seconds, v.seconds, *v.interval) for key, v in values.items() if v.seconds}
    timed = {key: values[key] for key, text in texts.items() if not text.startswith(style.UNCERTAIN)}
    shown = {backend for _, backend, _ in timed}
    failed = {
        f"{key[1]}, {key[2]}" if key[1] in shown else key[1]: texts.get(key, value.reason)
        for key, value in reversed(values.items())
        if key not in timed
    }
    missing = [*by_reason(reversed(failed.items())), *by_reason(results.left_out.items())]
    rates = {key: (v.case.record.bytes_read + v.case.record.bytes_written) / v.seconds for key, v in timed.items()}
    panels = {}
    for device in dict.fromkeys(device for device, _, label in rates if label == OVER):
        series = pd.Series(
            {(backend, label): rate for (place, backend, label), rate in rates.items() if place == device}
        )
        panels[device] = series.unstack().reindex(columns=labels).sort_values(OVER, ascending=False, kind="stable")
    if not panels:
        return nothing("; ".join(missing) or f"{OVER} was not measured")
    sentences, rows = [], []
    for device, panel in panels.items():
        shares = panel / panel[OVER].max()
        backend, label = shares.stack().idxmin()
        least = f"the least is {shares.min().min():.0%}, {label} by {backend}"
        sentences.append(f"{device}: {_whole(panel)} here, by {panel.index[0]}; {least}.")
        most = panel.max(axis=1).map(lambda rate: style.rate(rate, "B/s"))
        rows += [[name, *texts, most[name], device] for name, *texts in _texts(shares).itertuples()]
    table = Table(["", *labels, "at most", "on"], rows)
    return View(Drawing(partial(_draw_maps, panels)), table=table, sentences=sentences, missing=missing)


def _whole(panel):
    return f"100% is {style.rate(panel[OVER].max(), 'B/s')}, the fastest {OVER}"


def _texts(shares):
    return shares.map(lambda share: "" if pd.isna(share) else f"{share:.0%}")


def _draw_maps(panels):
    """Draw a heat map for each device, one below another. Cells with higher percentages are darker."""
    width = canvas.COLUMN * max(panel.shape[1] for panel in panels.values())
    figure, *every = canvas.plot_area(width, *(ROW * len(panel) for panel in panels.values()), gap=GAP)
    for axes, (device, panel) in zip(every, panels.items(), strict=True):
        shares = panel / panel[OVER].max()
        cells.draw_cells(axes, shares.clip(upper=1), _texts(shares), colors=[*map(style.color, panel.index)])
        axes.xaxis.tick_top()
        axes.annotate(f"{device}\n{_whole(panel)}", (0, 1), xycoords="axes fraction", xytext=(-60, 24), **canvas.BESIDE)
    return figure


IN_WORDS = {
    SLOWER: "slower",
    FASTER: "faster",
    SAME: "the same",
    AMBIGUOUS: "undecided",
    None: "measured in one process",
}
NONE = "the configuration has no two environments of one library, such as numba@0.67 and numba@0.68"


def versions(entry, results):
    """Return the View of the speed of libraries' newer versions relative to older ones, largest slowdown first."""
    pairs, missing = _compare(entry, results)
    if not pairs:
        return nothing("; ".join(missing) or NONE)
    which = group_by(pairs, lambda pair: pair[1])
    label = f"times as fast, {pairs[0][1]}" if len(which) == 1 else "times as fast as the version before"
    names = [name if len(which) == 1 else f"{name}, {versions}" for name, versions, _ in pairs]
    sentences, rows = [], []
    for versions, group in which.items():
        verdicts = [compared.verdict for *_, compared in group]
        words = [f"{verdicts.count(verdict)} {word}" for verdict, word in IN_WORDS.items() if verdict in verdicts]
        sentences.append(f"{versions}: of {len(group)} comparisons, {', '.join(words)}.")
    for label_of_row, (name, versions, compared) in zip(names, pairs, strict=True):
        ratio, interval = results.text(style.ratio, *compared[:3]), style.interval(*compared[1:3], style.ratio)
        rows.append([label_of_row, ratio, interval, IN_WORDS[compared.verdict]])
        if compared.verdict == SLOWER:
            sentences.append(f"Slower, {versions}: {name}, {ratio} as fast (95 % interval {interval}).")
    chart = strips.Ratios([compared for *_, compared in pairs], results.cases[0].scatter.same_within, label, names)
    table = Table(["", "ratio", "95 % interval", "the newer is"], rows)
    return View(chart, f"{entry.title} {' '.join(sentences)}", table, sentences=sentences, missing=missing)


def _compare(entry, results):
    """Return ([(label, versions, Comparison)], [text "names: reason" about labels that have no Comparison]).

    The first list begins with the largest slowdown.

    label       kernel, implementation and device
    versions    library and two successive versions
    Comparison  speedup of the newer over the older version, at the largest size
    """

    def place(case):
        name = case.record.implementation.partition("@")[0]
        return case.record.kernel, name, case.record.device if case.on_accelerator else None

    pairs, missing = [], []
    contestants = (case for case in results.cases if "@" in case.record.implementation)
    for (kernel, name, device), cases in group_by(contestants, place).items():
        versions = group_by(cases, lambda case: case.record.implementation.partition("@")[2])
        label = " · ".join(filter(None, [f"{kernel}: {name}", device_name(device)]))
        for both in pairwise(sorted(versions, key=_natural)) if entry.draws(name) else ():
            slow, fast = (fastest(largest(versions[version]), entry.time) for version in both)
            if slow.case and fast.case:
                named = f"{fast.case.record.backend} {' to '.join(both)}"
                pairs.append((label, named, results.ratio(slow, fast)))
            failed = [pair for pair in zip(both, (slow, fast), strict=True) if not pair[1].case]
            missing += [(f"{label}@{version}", value.reason) for version, value in failed]
    return sorted(pairs, key=lambda pair: pair[2].ratio), by_reason(missing)


def _natural(version):
    """Return a sort key that puts version 0.9 before 0.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", version) if part != "."]
