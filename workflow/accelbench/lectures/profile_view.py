"""Figures of the kind `profile`: where the time goes under cProfile, beside what was recorded of the same functions."""

from accelbench.figures import style
from accelbench.lectures import draw
from accelbench.lectures.measured import Value
from accelbench.lectures.sources import profile_rows
from accelbench.lectures.view import EMPTY, View, listed, nothing, plot_of

UNKNOWN = "not profiled"
MOST = 3  # functions of a profile that are drawn
FUNCTIONS = ("implementation", "function", "calls", "own time", "cumulative")
BESIDE = (
    "", "recorded", "in calls", "a call then", "a call here", "then over here", "share then", "share here", "of",
)  # fmt: skip


def make(entry, measured):
    """The View of such a figure."""
    found = _profiles(entry, measured)
    if not found:
        return nothing(entry, "nothing was profiled yet: run python -m accelbench profile")
    bars, functions = [], []
    for profile in found:
        name = profile["implementation"]
        for row in _own(profile)[:MOST]:
            times = row["total_s"], row["cumulative_s"]
            bars.append((f"{name}: {row['function']}", style.color(name.split("_")[0]), *times))
            functions.append([name, row["function"], style.size(row["calls"]), *map(style.seconds, times)])
    sentences = [_told(profile) for profile in found]
    spent = {row.label: _spent(row, found) for row in entry.rows}
    sentences += _told_beside(entry, spent, found)
    columns, rows = (BESIDE, _cells(entry, spent)) if entry.rows else (FUNCTIONS, functions)
    view = View(plot_of(entry, draw.profile, {"rows": bars}, " ".join(sentences), columns, rows), sentences)
    view.missing = [f"{label}: {why}" for label, (_, _, why) in spent.items() if why == UNKNOWN]
    return view


def value_of(row, entry, measured):
    """The Value of a row: the seconds of a call."""
    seconds, calls, why = _spent(row, _profiles(entry, measured))
    return Value(reason=why) if why else Value(seconds / calls)


def _profiles(entry, measured):
    return profile_rows(measured.home / "profile", entry.lines)


def _own(profile):
    """The functions of a profile, those that take most time themselves first."""
    return sorted(profile["rows"], key=lambda row: row["total_s"], reverse=True)


def _told(profile):
    first = _own(profile)[0]
    times = "once" if first["calls"] == 1 else f"{style.size(first['calls'])} times"
    return (
        f"{profile['implementation']} at size {profile['size']}: {style.seconds(profile['plain_s'])}, under the "
        f"profiler {style.seconds(profile['wall_s'])}, {first['total_s'] / profile['wall_s']:.0%} of it in "
        f"{first['function']}, which is called {times}."
    )


def _spent(row, profiles):
    """(seconds, calls, None) of the function a row names, with what it calls; (None, None, why) where there are none.

    A row that names no function is about the whole, under the profiler, or with the time `call` without it; its calls
    are those of the implementation's own function that is called most.
    """
    profile = next((p for p in profiles if p["implementation"] == row.implementation), None)
    if profile is None:
        return None, None, UNKNOWN
    if row.function is None:
        own = [each["calls"] for each in profile["rows"] if each["file"].startswith(f"{profile['kernel']}/")]
        return profile["plain_s" if row.time == "call" else "wall_s"], max(own), None
    called = next((each for each in profile["rows"] if each["function"] == row.function), None)
    if called is None:
        return None, None, "not seen by the profiler"
    return called["cumulative_s"], called["calls"], None


def _cells(entry, spent):
    rows = {row.label: row for row in entry.rows}
    return [_row_cells(row, rows.get(row.over), spent) for row in entry.rows]


def _row_cells(row, whole, spent):
    seconds, calls, why = spent[row.label]
    then = _a_call_then(row)
    return [
        row.label,
        style.seconds(row.recorded_s),
        style.count(row.recorded_calls) if row.recorded_calls else EMPTY,
        style.seconds(then),
        why or style.seconds(seconds / calls),
        style.ratio(then * calls / seconds if then and not why else None),
        *(EMPTY if share is None else f"{share:.0%}" for share in _shares(row, whole, spent)),
        EMPTY if whole is None else whole.label,
    ]


def _a_call_then(row):
    return row.recorded_s / row.recorded_calls if row.recorded_s and row.recorded_calls else None


def _shares(row, whole, spent):
    """The share that a row has of the time of another, then and here."""
    if whole is None:
        return None, None
    here = [spent[each.label][0] for each in (row, whole)]
    then = [row.recorded_s, whole.recorded_s]
    return tuple(part / of if part and of else None for part, of in (then, here))


def _told_beside(entry, spent, profiles):
    """What the numbers of rows say of the recorded ones."""
    both = [(row, *spent[row.label][:2]) for row in entry.rows if _a_call_then(row) and not spent[row.label][2]]
    if not both:
        return []
    quotients = [_a_call_then(row) * calls / seconds for row, seconds, calls in both]
    sizes = [style.size(size) for size in sorted({profile["size"] for profile in profiles})]
    calls = [style.count(number) for number in sorted({number for _, _, number in both})]
    then = [style.count(number) for number in sorted({row.recorded_calls for row, *_ in both})]
    told = [
        f"Another size: {listed(then)} calls were recorded, and are {listed(calls)} here, at size {listed(sizes)}. So "
        "calls are compared, and shares of the time.",
        f"Then a call took {style.ratio(min(quotients))} to {style.ratio(max(quotients))} as long as it takes here.",
    ]
    rows = {row.label: row for row in entry.rows}
    for row in entry.rows:
        share_then, share_here = _shares(row, rows.get(row.over), spent)
        if share_then:
            here = f"{share_here:.0%}" if share_here else spent[row.label][2]
            told.append(f"{row.label}, of {row.over}: {share_then:.0%} then, {here} here.")
    return told
