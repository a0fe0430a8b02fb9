"""Figures of the kind `map`: seconds over two parameters."""

from typing import NamedTuple

from accelbench.figures import style
from accelbench.lectures.kind import Kind
from accelbench.lectures.value import seconds_of
from accelbench.lectures.view import View, nothing
from accelbench.model.parameters import DEFAULT_BLOCKS, plain


class MapKind(Kind):
    """A map over the two parameters in `axes`, of the fastest implementation at the largest size."""

    needs = ("measure", "axes")
    of_one_time = True

    def view(self, entry, results):
        from accelbench.figures.parameter_maps import ParameterMap, ParameterMaps
        from accelbench.lectures.lines import why_none

        maps = _times(entry, results)
        if not maps:
            return nothing(why_none(entry, results))
        largest = max(swept.size for swept in maps)
        shown = min((swept for swept in maps if swept.size == largest), key=lambda swept: min(maps[swept].values()))
        own = ParameterMap(shown.implementation, style.color(shown.backend), maps.pop(shown))
        sentences = [
            *_tell(own, shown, entry),
            *(_tell_best(times, swept) for swept, times in maps.items()),
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


def _times(entry, results):
    """{Swept: {(value across, value down): seconds}}."""
    across, down = entry.axes
    maps = {}
    for case in results.cases:
        r, seconds = case.record, seconds_of(case, entry.time)
        if seconds and entry.draws(r.implementation) and {across, down} <= r.parameters.keys():
            own = maps.setdefault(Swept(r.size, r.implementation, r.backend, r.device, r.threads), {})
            values = plain(r.parameters)
            own[values[across], values[down]] = seconds
    return maps


def _tell(own, shown, entry):
    """What the best pair, the worst and the usual one take."""
    times, best, worst = own.times, own.best, own.worst
    across, down = (name.replace("_", " ") for name in entry.axes)
    yield (
        f"{shown.implementation} on {shown.device} at size {style.size(shown.size)}: the best pair is {across} "
        f"{best[0]} with {down} {best[1]}, {style.seconds(times[best])}."
    )
    yield f"The worst, {worst[0]} with {worst[1]}, takes {style.ratio(times[worst] / times[best])} as long."
    for usual in times.keys() & {(min(x for x, _ in times), block.plain) for block in DEFAULT_BLOCKS}:
        yield (
            f"{usual[0]} with {usual[1]}, as one writes it untuned, takes {style.ratio(times[usual] / times[best])} as "
            "long: what tuning is worth here."
        )


def _tell_best(times, swept):
    best = min(times, key=times.get)
    return (
        f"{swept.implementation} on {swept.device} at size {style.size(swept.size)}: {best[0]} with {best[1]} is best, "
        f"{style.seconds(times[best])}."
    )


def _tell_tuned(case, entry):
    """What a case that is tuned took from its sweep, and what it makes of it."""
    r = case.record
    pair = " with ".join(f"{name.replace('_', ' ')} {r.tuned[name]}" for name in entry.axes)
    return (
        f"{r.implementation} on {r.device} at size {style.size(r.size)} took {pair} from the sweep: "
        f"{style.seconds(seconds_of(case, entry.time))}, measured on its own."
    )
