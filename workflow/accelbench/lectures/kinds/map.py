"""Figures of the kind `map`: seconds over two parameters."""

from accelbench.figures import style
from accelbench.lectures.kind import Kind
from accelbench.lectures.value import seconds_of
from accelbench.lectures.view import View, nothing
from accelbench.model.parameters import plain


class MapKind(Kind):
    """A map over the two parameters in `axes`, of the fastest implementation at the largest size."""

    needs = ("measure", "axes")
    of_one_time = True

    def view(self, entry, results):
        from accelbench.figures.parameter_map import ParameterMap
        from accelbench.lectures.lines import why_none

        maps = _times(entry, results)
        if not maps:
            return nothing(why_none(entry, results))
        largest = max(size for size, *_ in maps)
        shown = min((key for key in maps if key[0] == largest), key=lambda key: min(maps[key].values()))
        figure = ParameterMap(maps.pop(shown), *entry.axes)
        sentences = [
            *_tell(figure, shown),
            *(_tell_best(times, *key) for key, times in maps.items()),
            *(_tell_tuned(case, entry) for case in results.cases if case.record.tuned and case.ok),
        ]
        return View(figure, " ".join(sentences), *figure.table(), sentences=sentences)


def _times(entry, results):
    """{(size, implementation, device, threads): {(value across, value up): seconds}}."""
    across, up = entry.axes
    maps = {}
    for case in results.cases:
        r, seconds = case.record, seconds_of(case, entry.time)
        if seconds and entry.draws(r.implementation) and {across, up} <= r.parameters.keys():
            own = maps.setdefault((r.size, r.implementation, r.device, r.threads), {})
            values = plain(r.parameters)
            own[values[across], values[up]] = seconds
    return maps


def _tell(figure, shown):
    """What the best pair, the worst and the usual one take."""
    from accelbench.analysis.cases import DEFAULT_BLOCKS

    size, implementation, device, _ = shown
    times, best, worst = figure.times, figure.best, figure.worst
    across, up = (name.replace("_", " ") for name in (figure.across, figure.up))
    yield (
        f"{implementation} on {device} at size {style.size(size)}: the best pair is {across} {best[0]} with "
        f"{up} {best[1]}, {style.seconds(times[best])}."
    )
    yield f"The worst, {worst[0]} with {worst[1]}, takes {style.ratio(times[worst] / times[best])} as long."
    for usual in times.keys() & {(min(x for x, _ in times), block.plain) for block in DEFAULT_BLOCKS}:
        yield (
            f"{usual[0]} with {usual[1]}, as one writes it untuned, takes {style.ratio(times[usual] / times[best])} as "
            "long: what tuning is worth here."
        )


def _tell_best(times, size, implementation, device, _):
    best = min(times, key=times.get)
    return (
        f"{implementation} on {device} at size {style.size(size)}: {best[0]} with {best[1]} is best, "
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
