"""Figures of the kind `map`: seconds over two parameters."""

from operator import itemgetter
from typing import NamedTuple

from accelbench.figures import style
from accelbench.lectures.kind import Kind
from accelbench.lectures.value import fastest, seconds_of
from accelbench.lectures.view import View, nothing
from accelbench.model.parameters import DEFAULT_BLOCKS, plain


class MapKind(Kind):
    """A map over the two parameters in `axes`, of the fastest implementation at the largest size."""

    needs = ("measure", "axes")
    of_one_time = True

    def view(self, entry, results):
        from accelbench.figures.parameter_maps import ParameterMap, ParameterMaps
        from accelbench.lectures.lines import why_none

        maps = _maps(entry, results)
        if not maps:
            return nothing(why_none(entry, results))
        best = {swept: _best(cases, entry) for swept, cases in maps.items()}
        largest = max(swept.size for swept in maps)
        shown = min((swept for swept in maps if swept.size == largest), key=lambda swept: best[swept].seconds)
        times = {pair: seconds_of(case, entry.time) for pair, case in maps[shown].items()}
        own = ParameterMap(shown.implementation, style.color(shown.backend), times, chosen=best[shown].pair)
        sentences = [
            *_tell(own, shown, best.pop(shown), entry=entry),
            *(_tell_best(swept, found) for swept, found in best.items()),
            *(_tell_tuned(case, entry) for case in results.cases if case.record.tuned and case.ok),
        ]
        across, down = (name.replace("_", " ") for name in entry.axes)
        return View(ParameterMaps([own], across, down), " ".join(sentences), sentences=sentences)


class Swept(NamedTuple):
    """What a map is of."""

    size: int
    implementation: str
    backend: str
    device: str | None
    threads: int | None


class BestPair(NamedTuple):
    """What all repetitions find fastest, and its seconds by those that had no part in choosing it."""

    pair: tuple
    seconds: float


def _best(cases, entry):
    value = fastest(list(cases.values()), entry.time)
    if value.seconds is None:  # all of them are implausible
        return BestPair(*min(((pair, seconds_of(case, entry.time)) for pair, case in cases.items()), key=itemgetter(1)))
    return BestPair(next(pair for pair, case in cases.items() if case is value.case), value.seconds)


def _maps(entry, results):
    """{Swept: {(value across, value down): Case}} of what has a time."""
    across, down = entry.axes
    maps = {}
    for case in results.cases:
        r = case.record
        if seconds_of(case, entry.time) and entry.draws(r.implementation) and {across, down} <= r.parameters.keys():
            own = maps.setdefault(Swept(r.size, r.implementation, r.backend, r.device, r.threads), {})
            values = plain(r.parameters)
            own[values[across], values[down]] = case
    return maps


def _tell(own, shown, best, *, entry):
    """What the best pair, the worst and the usual one take."""
    times, worst = own.times, own.worst
    across, down = (name.replace("_", " ") for name in entry.axes)
    yield (
        f"{shown.implementation} on {shown.device} at size {style.size(shown.size)}: the best pair is {across} "
        f"{best.pair[0]} with {down} {best.pair[1]}, {style.seconds(best.seconds)}."
    )
    yield f"The worst, {worst[0]} with {worst[1]}, takes {style.ratio(times[worst] / best.seconds)} as long."
    for usual in times.keys() & {(min(x for x, _ in times), block.plain) for block in DEFAULT_BLOCKS}:
        worth = style.ratio(times[usual] / best.seconds)
        yield f"{usual[0]} with {usual[1]}, as one writes it untuned, takes {worth} as long: what tuning is worth here."


def _tell_best(swept, best):
    return (
        f"{swept.implementation} on {swept.device} at size {style.size(swept.size)}: {best.pair[0]} with "
        f"{best.pair[1]} is best, {style.seconds(best.seconds)}."
    )


def _tell_tuned(case, entry):
    """What a case that is tuned took from its sweep, and what it makes of it."""
    r = case.record
    pair = " with ".join(f"{name.replace('_', ' ')} {r.tuned[name]}" for name in entry.axes)
    return (
        f"{r.implementation} on {r.device} at size {style.size(r.size)} took {pair} from the sweep: "
        f"{style.seconds(seconds_of(case, entry.time))}, measured on its own."
    )
