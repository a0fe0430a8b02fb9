"""How fast each backend moves data: bytes per second of its fastest case at its largest size in each row's kernel, in
per cent of the fastest copy on the same device. A map a device."""

from functools import partial

import pandas as pd

from accelbench.analysis.choices import group_by
from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, COLUMN, plot_area
from accelbench.figures.cells import draw_cells
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures.measured import fastest, largest
from accelbench.lectures.views import View, by_reason, nothing

OVER = "copy"  # label of the row whose fastest is 100 %
ROW, GAP = 18, 74  # points that a row is high, and between two devices


def view(entry, results):
    """Return the View of all devices on which any backend copied."""
    labels, own_cores = [row.label for row in entry.rows], results.machine.hardware
    placed = [
        (case.record.device if case.on_accelerator else own_cores, case.record.backend, row.label, case)
        for row in entry.rows
        for case in results.matching(row.implementation, kernel=row.kernel, dtype=row.dtype)
    ]
    groups = group_by(sorted(placed, key=lambda each: each[0] != own_cores), lambda each: each[:3])
    cases = {key: [case for *_, case in own] for key, own in groups.items()}
    measured = {key: largest([case for case in own if case.ok]) for key, own in cases.items()}
    values = {key: fastest(measured[key] or own, entry.time) for key, own in cases.items()}
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
        own = pd.Series({(backend, label): rate for (place, backend, label), rate in rates.items() if place == device})
        panels[device] = own.unstack().reindex(columns=labels).sort_values(OVER, ascending=False, kind="stable")
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
    return View(Drawing(partial(_draw, panels)), table=table, sentences=sentences, missing=missing)


def _whole(panel):
    return f"100% is {style.rate(panel[OVER].max(), 'B/s')}, the fastest {OVER}"


def _texts(shares):
    return shares.map(lambda share: "" if pd.isna(share) else f"{share:.0%}")


def _draw(panels):
    """Draw a map for each device, below one another, their cells the fuller the greater the share."""
    width = COLUMN * max(panel.shape[1] for panel in panels.values())
    figure, *every = plot_area(width, *(ROW * len(panel) for panel in panels.values()), gap=GAP)
    for axes, (device, panel) in zip(every, panels.items(), strict=True):
        shares = panel / panel[OVER].max()
        draw_cells(axes, shares.clip(upper=1), _texts(shares), colors=[*map(style.color, panel.index)])
        axes.xaxis.tick_top()
        axes.annotate(f"{device}\n{_whole(panel)}", (0, 1), xycoords="axes fraction", xytext=(-60, 24), **BESIDE)
    return figure
