"""Where the time goes under cProfile, beside what was recorded of the same functions.

`make profile` writes what is read here: profile/inside_polygon/<implementation>.json of each row's implementation.
"""

from functools import partial
from operator import attrgetter

import pandas as pd
from matplotlib.colors import to_rgba

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, PLOT_WIDTH, name_rows, plot_area
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures.measured import Value
from accelbench.lectures.views import EMPTY, Source, View, listed, nothing
from accelbench.model.profile import Profile
from accelbench.store import formats

KERNEL, AGAIN = "inside_polygon", "Delete it and run again: make profile"
# {label of a row: the function that it is about}; other rows are about the whole
FUNCTIONS = {
    "Cython with tuples, the function": "inside",
    "In the function": "inside",
    "In ascontiguousarray": "ascontiguousarray",
}
RECORDED_CALLS = 1_048_576  # in which what was recorded was spent: one a pixel, but for
RECORDED_CALLS_OF = {"In ascontiguousarray": 1_048_577}
UNKNOWN = "not profiled"
MOST = 3  # functions of a profile that are drawn
ROW = 21
COLUMNS = (
    "", "recorded", "in calls", "a call then", "a call here", "then over here", "share then", "share here", "of",
)  # fmt: skip


def view(entry, results):
    """Return the View of the functions that take most time, and of a call of each row's beside what it took then."""
    folder = results.home / "profile" / KERNEL
    paths = {row.implementation: folder / f"{row.implementation}.json" for row in entry.rows}
    profiles = {name: formats.read(Profile, path, AGAIN) for name, path in paths.items() if path.exists()}
    spent = _spent(entry.rows, profiles)
    values = {own.Index: Value(None if own.reason else own.call, reason=own.reason) for own in spent.itertuples()}
    if not profiles:
        return nothing("nothing was profiled yet: run python -m accelbench profile", values=values)
    slowest_first = sorted(profiles.values(), key=attrgetter("wall_s"), reverse=True)
    sentences = [*map(_tell, slowest_first), *_tell_beside(spent, sizes={p.size for p in slowest_first})]
    return View(
        Drawing(partial(_draw, slowest_first)),
        " ".join(sentences),
        Table(COLUMNS, [*map(_cells, spent.itertuples())]),
        sentences=sentences,
        missing=[f"{label}: {UNKNOWN}" for label, value in values.items() if value.reason == UNKNOWN],
        values=values,
        sources=[
            Source(code.kernel, code.implementation, own.backend, own.files)
            for code in entry.code
            if (own := profiles.get(code.implementation))
        ],
    )


def _spent(rows, profiles):
    """A frame with a row for each: seconds and calls of the function that it is about, with what that calls, then and
    here, the reason why nothing is known of them here, seconds of a call, and shares of the seconds of another row."""
    columns = ["then", "calls_then", "over", "seconds", "calls", "reason"]
    known = []
    for row in rows:
        then = row.recorded_s, RECORDED_CALLS_OF.get(row.label, RECORDED_CALLS), row.over or EMPTY
        known.append((*then, *_here(row, profiles.get(row.implementation))))
    frame = pd.DataFrame(known, [row.label for row in rows], columns).astype({"then": float, "seconds": float})
    whole = frame.reindex(frame.over)
    shares = {"share_then": frame.then / whole.then.to_numpy(), "share": frame.seconds / whole.seconds.to_numpy()}
    return frame.assign(call_then=frame.then / frame.calls_then, call=frame.seconds / frame.calls, **shares)


def _here(row, profile):
    """Return (seconds, calls, why nothing is known). The whole is the call under the profiler, or without it where
    `time` is `call`; its calls are those of the implementation's own function that is called most."""
    if profile is None:
        return None, 1, UNKNOWN
    if row.label not in FUNCTIONS:
        calls = max(each.calls for each in profile.rows if each.file.startswith(f"{KERNEL}/"))
        return profile.plain_s if row.time == "call" else profile.wall_s, calls, ""
    for each in profile.rows:
        if each.function == FUNCTIONS[row.label]:
            return each.cumulative_s, each.calls, ""
    return None, 1, "not seen by the profiler"


def _costliest(profile):
    """Return the functions of a profile, those first that take most time themselves."""
    return sorted(profile.rows, key=attrgetter("total_s"), reverse=True)


def _tell(profile):
    first = _costliest(profile)[0]
    times = "once" if first.calls == 1 else f"{style.size(first.calls)} times"
    return (
        f"{profile.implementation} at size {profile.size}: {style.seconds(profile.plain_s)}, under the profiler "
        f"{style.seconds(profile.wall_s)}, {first.total_s / profile.wall_s:.0%} of it in {first.function}, which is "
        f"called {times}."
    )


def _cells(own):
    return [
        own.Index,
        style.seconds(own.then),
        EMPTY if style.missing(own.then) else style.count(own.calls_then),
        style.seconds(own.call_then),
        own.reason or style.seconds(own.call),
        style.ratio(own.call_then / own.call),
        *(EMPTY if style.missing(share) else f"{share:.0%}" for share in (own.share_then, own.share)),
        own.over,
    ]


def _tell_beside(spent, *, sizes):
    """Compare calls, and shares of the time, with what was recorded."""
    both = spent.assign(ratio=spent.call_then / spent.call).dropna(subset="ratio")
    if both.empty:
        return
    numbers = (both.calls_then, both.calls, sizes)
    then, here, at = (listed([style.count(number) for number in sorted(set(each))]) for each in numbers)
    compared = "So calls are compared, and shares of the time."
    yield f"Another size: {then} calls were recorded, and are {here} here, at size {at}. {compared}"
    low, high = (style.ratio(bound(both.ratio)) for bound in (min, max))
    yield f"Then a call took {low} to {high} as long as it takes here."
    for own in spent.dropna(subset="share_then").itertuples():
        here = own.reason or f"{own.share:.0%}"
        yield f"{own.Index}, of {own.over}: {own.share_then:.0%} then, {here} here."


def _draw(profiles):
    """Draw the time in the functions of each Profile that take most, own time filled, a row each."""
    functions = [(profile, each) for profile in profiles for each in _costliest(profile)[:MOST]]
    figure, axes = plot_area(PLOT_WIDTH, ROW * len(functions))
    for row, (profile, each) in enumerate(functions):
        color = style.color(profile.backend)
        axes.barh(row, each.cumulative_s, color=to_rgba(color, 0.25), height=0.7, linewidth=0)
        axes.barh(row, each.total_s, color=color, height=0.7, linewidth=0)
        place = (each.cumulative_s, row)
        axes.annotate(style.seconds(each.cumulative_s), place, xytext=(4, 0), va="center", **BESIDE)
    name_rows(axes, [f"{profile.implementation}: {each.function}" for profile, each in functions])
    axes.set_xlabel("seconds under cProfile; solid: in the function itself")
    return figure
