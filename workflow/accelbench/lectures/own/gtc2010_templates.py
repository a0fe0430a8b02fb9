"""Time over unrolling and block size, of the fastest implementation at the largest size."""

from accelbench.figures import style
from accelbench.figures.parameter_maps import ParameterMap, ParameterMaps
from accelbench.lectures.lines import why_none
from accelbench.lectures.value import fastest, seconds_of
from accelbench.lectures.view import View, nothing
from accelbench.model.parameters import BLOCK_SIZE, DEFAULT_BLOCKS, plain

UNROLL = "unroll"


def view(entry, results):
    """Return the View of the fastest sweep's times, and of what tuning is worth."""
    sweeps = _sweeps(entry, results)
    if not sweeps:
        return nothing(why_none(entry, results))
    best = {key: _best(cases, entry.time) for key, cases in sweeps.items()}
    largest = max(size for size, *_ in sweeps)
    shown = min((key for key in sweeps if key[0] == largest), key=lambda key: best[key][1])
    _, name, backend, _, _ = shown
    times = {pair: seconds_of(case, entry.time) for pair, case in sweeps[shown].items()}
    own = ParameterMap(name, style.color(backend), times, chosen=best[shown][0])
    sentences = [
        *_tell(own, _place(shown), best.pop(shown)[1]),
        *(f"{_place(key)}: {u} with {b} is best, {style.seconds(s)}." for key, ((u, b), s) in best.items()),
        *(_tell_tuned(case, entry) for case in results.cases if case.record.tuned and case.ok),
    ]
    return View(ParameterMaps([own], UNROLL, "block size"), " ".join(sentences), sentences=sentences)


def _sweeps(entry, results):
    """{(size, implementation, backend, device, threads): {(unroll, block size): Case}} of what has a time."""
    sweeps = {}
    for case in results.cases:
        r = case.record
        if seconds_of(case, entry.time) and entry.draws(r.implementation) and {UNROLL, BLOCK_SIZE} <= {*r.parameters}:
            values = plain(r.parameters)
            own = sweeps.setdefault((r.size, r.implementation, r.backend, r.device, r.threads), {})
            own[values[UNROLL], values[BLOCK_SIZE]] = case
    return sweeps


def _best(cases, kind):
    """The pair that all repetitions find fastest, and its seconds by those that had no part in choosing it."""
    value = fastest([*cases.values()], kind)
    if value.seconds is None:  # all of them are implausible
        pair = min(cases, key=lambda pair: seconds_of(cases[pair], kind))
        return pair, seconds_of(cases[pair], kind)
    return next(pair for pair, case in cases.items() if case is value.case), value.seconds


def _place(key):
    size, name, _, device, _ = key
    return f"{name} on {device} at size {style.size(size)}"


def _tell(own, place, seconds):
    """What the best pair, the worst and the usual one take."""
    (unroll, block), worst = own.best, own.worst
    yield f"{place}: the best pair is unroll {unroll} with block size {block}, {style.seconds(seconds)}."
    yield f"The worst, {worst[0]} with {worst[1]}, takes {style.ratio(own.times[worst] / seconds)} as long."
    for usual in own.times.keys() & {(min(x for x, _ in own.times), block.plain) for block in DEFAULT_BLOCKS}:
        worth = style.ratio(own.times[usual] / seconds)
        yield f"{usual[0]} with {usual[1]}, as one writes it untuned, takes {worth} as long: what tuning is worth here."


def _tell_tuned(case, entry):
    """What a case that is tuned took from its sweep, and what it makes of it."""
    r = case.record
    return (
        f"{r.implementation} on {r.device} at size {style.size(r.size)} took unroll {r.tuned[UNROLL]} with block size "
        f"{r.tuned[BLOCK_SIZE]} from the sweep: {style.seconds(seconds_of(case, entry.time))}, measured on its own."
    )
