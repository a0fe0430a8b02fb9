"""Where the time goes under cProfile, beside what was recorded of the same functions.

`make profile` writes what is read here: profile/inside_polygon/<implementation>.json of each row's implementation.
"""

from functools import partial
from operator import attrgetter
from typing import NamedTuple

from matplotlib.colors import to_rgba

from accelbench.figures import style
from accelbench.figures.canvas import LETTER, PLOT_WIDTH, SMALL, name_rows, plot_area, short_seconds
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures import sources
from accelbench.lectures.value import Value
from accelbench.lectures.view import EMPTY, View, listed, nothing
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


class Spent(NamedTuple):
    """Seconds in the function that a row is about, with what it calls, then and here, or None; of one call, too.

    reason  why nothing is known of the time here
    """

    then: float | None
    calls_then: int
    seconds: float | None = None
    calls: int = 1
    reason: str = ""

    @property
    def call_then(self):
        return self.then and self.then / self.calls_then

    @property
    def call(self):
        return self.seconds and self.seconds / self.calls

    @property
    def ratio(self):
        return self.call_then / self.call if self.then and self.seconds else None


def view(entry, results):
    """Return the View of the functions that take most time, and of a call of each row's beside what it took then."""
    folder = results.home / "profile" / KERNEL
    paths = {row.implementation: folder / f"{row.implementation}.json" for row in entry.rows}
    profiles = {name: formats.read(Profile, path, AGAIN) for name, path in paths.items() if path.exists()}
    spent = {row.label: _spent(row, profiles.get(row.implementation)) for row in entry.rows}
    values = {label: Value(own.call, reason=own.reason) for label, own in spent.items()}
    if not profiles:
        return nothing("nothing was profiled yet: run python -m accelbench profile", values=values)
    slowest_first = sorted(profiles.values(), key=attrgetter("wall_s"), reverse=True)
    shares = {row.label: _shares(spent[row.label], spent.get(row.over)) for row in entry.rows}
    sentences = [*map(_tell, slowest_first), *_tell_beside(entry, spent, shares, sizes={p.size for p in slowest_first})]
    return View(
        Drawing(partial(_draw, slowest_first)),
        " ".join(sentences),
        Table(COLUMNS, [_cells(row, spent[row.label], shares[row.label]) for row in entry.rows]),
        sentences=sentences,
        missing=[f"{label}: {UNKNOWN}" for label, own in spent.items() if own.reason == UNKNOWN],
        values=values,
        sources=[sources.source(code, own) for code in entry.code if (own := profiles.get(code.implementation))],
    )


def _spent(row, profile):
    """Return the Spent of a row. The whole is the call under the profiler, or without it where `time` is `call`; its
    calls are those of the implementation's own function that is called most."""
    then = row.recorded_s, RECORDED_CALLS_OF.get(row.label, RECORDED_CALLS)
    if profile is None:
        return Spent(*then, reason=UNKNOWN)
    if row.label not in FUNCTIONS:
        calls = max(each.calls for each in profile.rows if each.file.startswith(f"{KERNEL}/"))
        return Spent(*then, profile.plain_s if row.time == "call" else profile.wall_s, calls)
    for each in profile.rows:
        if each.function == FUNCTIONS[row.label]:
            return Spent(*then, each.cumulative_s, each.calls)
    return Spent(*then, reason="not seen by the profiler")


def _shares(own, whole):
    """Return the share of a row in the time of another, then and here."""
    pairs = [(own.then, whole.then), (own.seconds, whole.seconds)] if whole else [(None, None)] * 2
    return [part / of if part and of else None for part, of in pairs]


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


def _cells(row, own, shares):
    return [
        row.label,
        style.seconds(own.then),
        style.count(own.calls_then) if own.then else EMPTY,
        style.seconds(own.call_then),
        own.reason or style.seconds(own.call),
        style.ratio(own.ratio),
        *(EMPTY if share is None else f"{share:.0%}" for share in shares),
        row.over or EMPTY,
    ]


def _tell_beside(entry, spent, shares, *, sizes):
    """Compare calls, and shares of the time, with what was recorded."""
    both = [own for own in spent.values() if own.ratio]
    if both:
        numbers = ({own.calls_then for own in both}, {own.calls for own in both})
        then, here = (listed([style.count(number) for number in sorted(each)]) for each in numbers)
        yield (
            f"Another size: {then} calls were recorded, and are {here} here, at size "
            f"{listed([style.size(size) for size in sorted(sizes)])}. So calls are compared, and shares of the time."
        )
        low, high = (style.ratio(bound(own.ratio for own in both)) for bound in (min, max))
        yield f"Then a call took {low} to {high} as long as it takes here."
        for row in entry.rows:
            share_then, share_here = shares[row.label]
            if share_then:
                here = f"{share_here:.0%}" if share_here else spent[row.label].reason
                yield f"{row.label}, of {row.over}: {share_then:.0%} then, {here} here."


def _draw(profiles):
    """Draw the time in the functions of each Profile that take most, own time filled, a row each."""
    functions = [(profile.implementation, each) for profile in profiles for each in _costliest(profile)[:MOST]]
    labels = [f"{name}: {each.function}" for name, each in functions]
    figure, axes = plot_area(20 + LETTER * max(map(len, labels)), PLOT_WIDTH, ROW * len(labels), right=40)
    for row, (name, each) in enumerate(functions):
        color = style.color(name.split("_")[0])
        axes.barh(row, each.cumulative_s, color=to_rgba(color, 0.25), height=0.7, linewidth=0)
        axes.barh(row, each.total_s, color=color, height=0.7, linewidth=0)
        axes.annotate(
            short_seconds(each.cumulative_s), (each.cumulative_s, row), xytext=(4, 0), textcoords="offset points",
            va="center", fontsize=SMALL,
        )  # fmt: skip
    name_rows(axes, labels)
    axes.set_xlabel("seconds under cProfile; solid: in the function itself")
    return figure
