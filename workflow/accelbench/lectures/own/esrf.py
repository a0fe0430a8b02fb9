"""Figures of ESRF's lecture: scores of Cython's annotated pages, a polygon with its mask, and times by cProfile.

`cython -a` gives each line of a source a score: the amount of Python that remains in the line. The mask is the
reference's result for the first problem that the figure measures. `make profile` writes profiles of implementations to
results/<machine>/profile/inside_polygon/<implementation>.json.
"""

import base64
import html
import re
from functools import partial
from operator import attrgetter, itemgetter
from typing import Annotated

import numpy as np
import pandas as pd
import seaborn
from matplotlib.colors import LinearSegmentedColormap, ListedColormap, to_rgba
from matplotlib.patches import Rectangle
from pydantic import Base64Bytes, BaseModel, Field

from accelbench.figures import canvas, chart, style
from accelbench.lectures import measured, views
from accelbench.machine.memory import free_memory_bytes
from accelbench.measure import plan
from accelbench.model.profile import Profile
from accelbench.model.record import Finite
from accelbench.store import formats, load
from accelbench.verify.process import Verifier

SCORED_LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>(.*?)</pre>', re.DOTALL)
SCORE_ROW = 20
FULL_SCORE = 60  # Approximate score of a line of plain Python
YELLOWS = LinearSegmentedColormap.from_list("yellows", [to_rgba("#d9a300", alpha) for alpha in (0, 0.3, 0.65, 1)])


def annotate(entry, results):
    """Return the View of the lines' scores, for every implementation that has an annotated page."""
    pages = {name: path for (_, name, _), path in load.annotated_pages(results.kernels, results.home).items()}
    scores = {name: annotated_scores(path.read_text(encoding="utf-8")) for name, path in pages.items()}
    if not scores:
        return views.nothing("; ".join(results.missing) or "Cython has made no annotated page")
    rows = [
        [name, len(line_scores), sum(map(bool, line_scores)), sum(line_scores)] for name, line_scores in scores.items()
    ]
    most, least = (f"{r[1]} lines of {r[0]}, {r[2]}" for r in (end(rows, key=itemgetter(3)) for end in (max, min)))
    text = f"Of the {most} call into Python. Of the {least} call into Python."
    table = chart.Table(("source", "lines", "that call into Python", "sum of scores"), rows)
    return views.View(
        chart.Drawing(partial(_draw_scores, scores)), text, table, sentences=[text], links=pages, timed=False
    )


def annotated_scores(page):
    """Return the score of each line of a page that `cython -a` wrote. The score of plain C is 0."""
    return [int(score) for score, line in SCORED_LINE.findall(page) if html.unescape(line)]


def _draw_scores(scores):
    """Draw a row for each source, with a cell for each line. Cells with higher scores are yellower."""
    figure, axes = canvas.plot_area(canvas.PLOT_WIDTH + 60, SCORE_ROW * len(scores))
    frame = pd.DataFrame([pd.Series(counts) for counts in scores.values()], index=[*scores])
    seaborn.heatmap(frame, ax=axes, cmap=YELLOWS, vmin=0, vmax=FULL_SCORE, cbar=False, xticklabels=20)
    for row, line_scores in enumerate(scores.values()):
        axes.add_patch(Rectangle((0, row + 0.1), len(line_scores), 0.8, fill=False, edgecolor=style.INK, linewidth=0.5))
        axes.text(
            1.02,
            row + 0.5,
            f"{sum(map(bool, line_scores))} of {len(line_scores)}",
            transform=axes.get_yaxis_transform(),
            va="center",
            fontsize=canvas.SMALL,
        )
    axes.tick_params(axis="y", length=0, rotation=0)
    axes.set_xlabel("line of the source; yellow: calls into Python")
    return figure


DEADLINE_S = 60.0
WIDTH = 300  # Width of the picture in points
Side = Annotated[int, Field(gt=0, le=8192)]  # Number of rows or columns of a mask


class MaskedPolygon(BaseModel):
    """Polygon of a problem, and the polygon's mask with eight pixels per byte."""

    polygon: list[tuple[int | Finite, int | Finite]] = Field(min_length=3)
    shape: tuple[Side, Side]
    mask: Base64Bytes


def observe_mask(parts, machine, scratch):
    """Return {"picture": polygon and mask of the first problem, as plain data}, or {} if no problem is measured."""
    config = next((part.config for part in parts if part.config), None)
    if config is None:
        return {}
    problem = plan.problems(config, config.sizes)[0]
    verifier = Verifier(DEADLINE_S, int(free_memory_bytes()), scratch)
    given = verifier.given(config.kernel, problem, seed=config.protocol.seed, which=0)
    (polygon,), (mask,) = (arrays.values() for arrays in verifier.arrays(given))
    given.close()
    verifier.close()
    return {
        "picture": {
            "polygon": polygon.tolist(),
            "shape": list(mask.shape),
            "mask": base64.b64encode(np.packbits(mask.astype(bool))).decode(),
        }
    }


def mask(entry, results):
    """Return the View of a picture of the mask, with the polygon drawn over the mask."""
    picture = results.observed("picture", MaskedPolygon)
    if picture is None:
        return views.nothing("; ".join(results.missing) or measured.NOTHING)
    polygon, (rows, columns) = np.array(picture.polygon), picture.shape
    pixels = np.unpackbits(np.frombuffer(picture.mask, np.uint8), count=rows * columns).reshape(rows, columns)
    text = (
        f"{pixels.mean():.1%} of {rows} × {columns} pixels lie inside the polygon of {len(polygon)} vertices, which "
        f"crosses itself {crossings(polygon)} times."
    )
    corners = chart.Table(
        ("vertex", "x", "y"), [[*map(str, (n, *corner))] for n, corner in enumerate(polygon.tolist(), 1)]
    )
    return views.View(chart.Drawing(partial(_draw_mask, pixels, polygon)), text, corners, sentences=[text], timed=False)


def _draw_mask(pixels, polygon):
    """Draw pixels of shape (rows, columns) and the polygon's (x, y) corners. The y axis points down, as in images."""
    rows, columns = pixels.shape
    figure, axes = canvas.plot_area(WIDTH, WIDTH * rows / columns)
    axes.imshow(
        pixels, cmap=ListedColormap([to_rgba(style.PAGE, 0), to_rgba(style.FASTER, 0.45)]), interpolation="nearest"
    )
    steps = np.roll(polygon, -1, axis=0) - polygon
    arrows = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.0025, "headwidth": 7, "headlength": 8}
    axes.quiver(*polygon.T, *steps.T, color=style.INK, **arrows)
    axes.plot(*polygon.T, "o", markersize=2.6, color=style.INK)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xlabel="x", ylabel="y")
    return figure


def crossings(polygon):
    """Return how often the edges of a polygon cross each other. Common end points of edges do not count."""
    ends = np.roll(polygon, -1, axis=0)

    def side(a, b, c):
        return np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    edges = list(zip(polygon.astype(int), ends.astype(int), strict=True))
    return sum(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for i, (a, b) in enumerate(edges)
        for c, d in edges[i + 1 :]
    )


KERNEL, AGAIN = "inside_polygon", "Delete it and run again: make profile"
# {label of a row: function whose time it shows}; other rows show the time of the whole program
FUNCTIONS = {
    "Cython with tuples, the function": "inside",
    "In the function": "inside",
    "In ascontiguousarray": "ascontiguousarray",
}
RECORDED_CALLS = 1_048_576  # Number of calls of a function in the lecture's profile: one per pixel
# {label of a row: number of calls, if this number differs from RECORDED_CALLS}
RECORDED_CALLS_OF = {"In ascontiguousarray": 1_048_577}
UNKNOWN = "not profiled"
MOST = 3  # Maximum number of drawn functions of a profile
ROW = 21
COLUMNS = (
    "", "recorded", "recorded calls", "a call then", "a call here", "then / here",
    "share then", "share here", "share of",
)  # fmt: skip


def profile(entry, results):
    """Return the View of the slowest functions, with a table of measured and recorded times per call."""
    folder = results.home / "profile" / KERNEL
    paths = {row.implementation: folder / f"{row.implementation}.json" for row in entry.rows}
    profiles = {name: formats.read(Profile, path, AGAIN) for name, path in paths.items() if path.exists()}
    spent = _spent(entry.rows, profiles)
    values = {
        row.Index: measured.Value(None if row.reason else row.call, reason=row.reason) for row in spent.itertuples()
    }
    if not profiles:
        return views.nothing("nothing was profiled yet: run make profile", values=values)
    slowest_first = sorted(profiles.values(), key=attrgetter("wall_s"), reverse=True)
    sentences = [*map(_tell_profile, slowest_first), *_tell_beside(spent, sizes={p.size for p in slowest_first})]
    return views.View(
        chart.Drawing(partial(_draw_profiles, slowest_first)),
        " ".join(sentences),
        chart.Table(COLUMNS, [*map(_cells_of, spent.itertuples())]),
        sentences=sentences,
        missing=[f"{label}: {UNKNOWN}" for label, value in values.items() if value.reason == UNKNOWN],
        values=values,
        sources=[
            views.Source(code.kernel, code.implementation, code_profile.backend, code_profile.files)
            for code in entry.code
            if (code_profile := profiles.get(code.implementation))
        ],
    )


def _spent(rows, profiles):
    """Return a DataFrame with a row for each row of the entry.

    The DataFrame has the column `over` and these columns:

    then, calls_then  recorded seconds of the row's function, including functions that it calls, and number of calls
    seconds, calls    measured seconds and number of calls
    reason            reason why there are no measured numbers
    call_then, call   recorded and measured seconds per call
    share_then, share recorded and measured seconds, divided by the seconds of the row `over`
    """
    columns = ["then", "calls_then", "over", "seconds", "calls", "reason"]
    known = []
    for row in rows:
        then = row.recorded_s, RECORDED_CALLS_OF.get(row.label, RECORDED_CALLS), row.over or views.EMPTY
        known.append((*then, *_here(row, profiles.get(row.implementation))))
    frame = pd.DataFrame(known, [row.label for row in rows], columns).astype({"then": float, "seconds": float})
    whole = frame.reindex(frame.over)
    shares = {"share_then": frame.then / whole.then.to_numpy(), "share": frame.seconds / whole.seconds.to_numpy()}
    return frame.assign(call_then=frame.then / frame.calls_then, call=frame.seconds / frame.calls, **shares)


def _here(row, profile):
    """Return (measured seconds, number of calls, reason why there are no measured numbers) of a row.

    A row of the whole program shows the time under the profiler. If the row's `time` is `call`, the row shows the time
    without the profiler. The number of calls of the whole program is that of the most-called function in the kernel's
    folder.
    """
    if profile is None:
        return None, 1, UNKNOWN
    if row.label not in FUNCTIONS:
        calls = max(function.calls for function in profile.rows if function.file.startswith(f"{KERNEL}/"))
        return profile.plain_s if row.time == "call" else profile.wall_s, calls, ""
    for function in profile.rows:
        if function.function == FUNCTIONS[row.label]:
            return function.cumulative_s, function.calls, ""
    return None, 1, "not seen by the profiler"


def _costliest(profile):
    """Return the functions of a profile, sorted by the time in the function itself, longest first."""
    return sorted(profile.rows, key=attrgetter("total_s"), reverse=True)


def _tell_profile(profile):
    first = _costliest(profile)[0]
    times = "once" if first.calls == 1 else f"{style.size(first.calls)} times"
    return (
        f"{profile.implementation} at size {profile.size} takes {style.seconds(profile.plain_s)}, and under the "
        f"profiler {style.seconds(profile.wall_s)}. Of the latter time, {first.total_s / profile.wall_s:.0%} is in the "
        f"function {first.function}, which is called {times}."
    )


def _cells_of(row):
    return [
        row.Index,
        style.seconds(row.then),
        views.EMPTY if style.missing(row.then) else style.count(row.calls_then),
        style.seconds(row.call_then),
        row.reason or style.seconds(row.call),
        style.ratio(row.call_then / row.call),
        *(views.EMPTY if style.missing(share) else f"{share:.0%}" for share in (row.share_then, row.share)),
        row.over,
    ]


def _tell_beside(spent, *, sizes):
    """Yield sentences that compare measured and recorded times per call, and measured and recorded shares of time."""
    both = spent.assign(ratio=spent.call_then / spent.call).dropna(subset="ratio")
    if both.empty:
        return
    numbers = (both.calls_then, both.calls, sizes)
    then, here, at = (views.listed([style.count(number) for number in sorted(set(counts))]) for counts in numbers)
    compared = "Therefore times per call and shares of the time are compared."
    yield f"The size differs: {then} calls were recorded, and {here} were made here, at size {at}. {compared}"
    low, high = (style.ratio(bound(both.ratio)) for bound in (min, max))
    yield f"Then a call took {low} to {high} as long as it takes here."
    for row in spent.dropna(subset="share_then").itertuples():
        here = row.reason or f"{row.share:.0%}"
        yield f"{row.Index}, of {row.over}: {row.share_then:.0%} then, {here} here."


def _draw_profiles(profiles):
    """Draw a bar for each of the slowest functions of each Profile.

    The solid part of a bar is the time in the function itself, without the functions that it calls.
    """
    functions = [(profile, function) for profile in profiles for function in _costliest(profile)[:MOST]]
    figure, axes = canvas.plot_area(canvas.PLOT_WIDTH, ROW * len(functions))
    for row, (profile, function) in enumerate(functions):
        color = style.color(profile.backend)
        axes.barh(row, function.cumulative_s, color=to_rgba(color, 0.25), height=0.7, linewidth=0)
        axes.barh(row, function.total_s, color=color, height=0.7, linewidth=0)
        axes.annotate(
            style.seconds(function.cumulative_s),
            (function.cumulative_s, row),
            xytext=(4, 0),
            va="center",
            **canvas.BESIDE,
        )
    canvas.name_rows(axes, [f"{profile.implementation}: {function.function}" for profile, function in functions])
    axes.set_xlabel("seconds under cProfile; solid: in the function itself")
    return figure
