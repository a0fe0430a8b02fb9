"""Figures of the kind `profile`: where the time goes under cProfile, beside what was recorded of the same functions."""

from dataclasses import dataclass
from operator import attrgetter

from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.lectures import sources
from accelbench.lectures.kind import Kind
from accelbench.lectures.value import Value
from accelbench.lectures.view import EMPTY, View, listed, nothing

UNKNOWN = "not profiled"
MOST = 3  # functions of a profile that are drawn
FUNCTIONS = ("implementation", "function", "calls", "own time", "cumulative")
BESIDE = (
    "", "recorded", "in calls", "a call then", "a call here", "then over here", "share then", "share here", "of",
)  # fmt: skip


class ProfileKind(Kind):
    """The functions that take most time; with rows, what a call takes beside what it took then."""

    needs = ()

    def view(self, entry, results):
        from accelbench.figures.function_times import FunctionTime, FunctionTimes

        profiles = sources.profiles(results.home, entry.lines)
        if not profiles:
            return nothing("nothing was profiled yet: run python -m accelbench profile")
        bars, functions = [], []
        for profile in profiles:
            name = profile.implementation
            for row in _own(profile)[:MOST]:
                times = row.total_s, row.cumulative_s
                bars.append(FunctionTime(f"{name}: {row.function}", style.color(name.split("_")[0]), *times))
                functions.append([name, row.function, style.size(row.calls), *map(style.seconds, times)])
        spent = {row.label: _spent(row, profiles) for row in entry.rows}
        sentences = [_tell(profile) for profile in profiles] + _tell_beside(entry, spent, profiles)
        columns, rows = (BESIDE, _rows(entry, spent)) if entry.rows else (FUNCTIONS, functions)
        missing = [f"{label}: {own.reason}" for label, own in spent.items() if own.reason == UNKNOWN]
        return View(
            FunctionTimes(bars), " ".join(sentences), Table(columns, rows), sentences=sentences, missing=missing
        )

    def value_of(self, row, entry, results):
        """The Value of a row: the seconds of a call."""
        spent = _spent(row, sources.profiles(results.home, entry.lines))
        return Value(reason=spent.reason) if spent.reason else Value(spent.seconds / spent.calls)


@dataclass(frozen=True)
class Spent:
    """The seconds a function took with what it calls, in so many calls; or why nobody knows."""

    seconds: float | None = None
    calls: int | None = None
    reason: str | None = None


def _spent(row, profiles):
    """The time Spent in the function that a row names.

    A row that names no function is about the whole, under the profiler, or with the time `call` without it; its calls
    are those of the implementation's own function that is called most.
    """
    profile = next((p for p in profiles if p.implementation == row.implementation), None)
    if profile is None:
        return Spent(reason=UNKNOWN)
    if row.function is None:
        calls = max(each.calls for each in profile.rows if each.file.startswith(f"{profile.kernel}/"))
        return Spent(profile.plain_s if row.time == "call" else profile.wall_s, calls)
    called = next((each for each in profile.rows if each.function == row.function), None)
    return Spent(called.cumulative_s, called.calls) if called else Spent(reason="not seen by the profiler")


def _own(profile):
    """The functions of a profile, those that take most time themselves first."""
    return sorted(profile.rows, key=attrgetter("total_s"), reverse=True)


def _tell(profile):
    first = _own(profile)[0]
    times = "once" if first.calls == 1 else f"{style.size(first.calls)} times"
    return (
        f"{profile.implementation} at size {profile.size}: {style.seconds(profile.plain_s)}, under the profiler "
        f"{style.seconds(profile.wall_s)}, {first.total_s / profile.wall_s:.0%} of it in {first.function}, which is "
        f"called {times}."
    )


def _rows(entry, spent):
    rows = {row.label: row for row in entry.rows}
    return [_cells(row, rows.get(row.over), spent) for row in entry.rows]


def _cells(row, whole, spent):
    own, then = spent[row.label], _call_then(row)
    here = None if own.reason else own.seconds / own.calls
    return [
        row.label,
        style.seconds(row.recorded_s),
        style.count(row.recorded_calls) if row.recorded_calls else EMPTY,
        style.seconds(then),
        own.reason or style.seconds(here),
        style.ratio(then * own.calls / own.seconds if then and not own.reason else None),
        *(EMPTY if share is None else f"{share:.0%}" for share in _shares(row, whole, spent)),
        EMPTY if whole is None else whole.label,
    ]


def _call_then(row):
    return row.recorded_s / row.recorded_calls if row.recorded_s and row.recorded_calls else None


def _shares(row, whole, spent):
    """The share that a row has of the time of another, then and here."""
    if whole is None:
        return None, None
    pairs = (row.recorded_s, whole.recorded_s), (spent[row.label].seconds, spent[whole.label].seconds)
    return tuple(part / of if part and of else None for part, of in pairs)


def _tell_beside(entry, spent, profiles):
    """What the numbers of rows say of the recorded ones."""
    both = [(row, spent[row.label]) for row in entry.rows if _call_then(row) and not spent[row.label].reason]
    if not both:
        return []
    quotients = [_call_then(row) * own.calls / own.seconds for row, own in both]
    sizes = [style.size(size) for size in sorted({profile.size for profile in profiles})]
    calls = [style.count(number) for number in sorted({own.calls for _, own in both})]
    then = [style.count(number) for number in sorted({row.recorded_calls for row, _ in both})]
    sentences = [
        f"Another size: {listed(then)} calls were recorded, and are {listed(calls)} here, at size {listed(sizes)}. So "
        "calls are compared, and shares of the time.",
        f"Then a call took {style.ratio(min(quotients))} to {style.ratio(max(quotients))} as long as it takes here.",
    ]
    rows = {row.label: row for row in entry.rows}
    for row in entry.rows:
        share_then, share_here = _shares(row, rows.get(row.over), spent)
        if share_then:
            here = f"{share_here:.0%}" if share_here else spent[row.label].reason
            sentences.append(f"{row.label}, of {row.over}: {share_then:.0%} then, {here} here.")
    return sentences
