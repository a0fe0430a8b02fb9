"""Sentences about an Answer, and details of each time on pages: conditions, clock frequencies and samples."""

import math

from accelbench.analysis import Analysis, cases, choices, choosing, noise, verdicts
from accelbench.analysis.samples import Samples
from accelbench.decide.answer import Answer, Bracket, lines_of, on_cores, shown
from accelbench.figures.style import ratio, seconds, size
from accelbench.model.record import Record
from accelbench.statistics import median

STRIP = 2  # Number of samples of each repetition in a strip (row of marks that shows the samples of a time)
TONES = "".join(map(chr, range(35, 92)))  # Characters for samples, by distance from the median in steps of SHADE
SHADE = 0.005  # Relative difference in time between neighbouring characters of TONES
MOST_NAMES = 2  # Maximum number of implementations' names in a sentence
# Maximum number of additional repetitions to separate the leaders. If more are needed, the leaders count as a tie.
MOST_REPETITIONS = 20


def named(answer: Answer, best: choosing.Best) -> str:
    """Return the name of the implementation of `best`, with its device unless it ran on the host's cores."""
    record = best.case.record
    device = "" if on_cores(best.case) else f" on {answer.analysis.short_devices[record.device]}"
    return f"{record.implementation}{device}"


def speedup(answer: Answer, best: choosing.Best) -> float | None:
    """Return the speedup of a Best over NumPy, from rounded times as on pages; None if NumPy has no time."""
    return answer.numpy and shown(answer.numpy.seconds) / shown(best.seconds)


def headline(answer: Answer) -> str:
    """Return the first sentence about an Answer: its leaders, their time, the speedup over NumPy, and the verdict."""
    best = answer.best
    if not best:
        return "No implementation is in base here." if answer.base else "No implementation has a time here."
    gain = speedup(answer, best)
    over = f", {ratio(gain)} as fast as NumPy" if gain and not _ties_with_numpy(answer) else ""
    text = f"{names(answer, answer.leaders)}: {seconds(best.seconds)} a call{over}"
    if answer.only_cpu:
        return f"Undecided: {text}; but the only measurements on the cores at this size are of {answer.only_cpu}."
    return f"{text}; {verdict(answer)}."


def verdict(answer: Answer) -> str:
    """Return as text whether the first leader is proven to be the fastest, ties with others, or needs more data."""
    fastest, leaders = answer.fastest, answer.leaders
    if not fastest.tie:
        return "open: it was measured in one repetition"
    if len(leaders) == 1:
        others = [best for best in answer.ranking[1:] if not best.case.implausible]
        how_sure = "proven" if len(fastest.samples) > 1 else "fastest in the only repetition"
        return (
            f"{how_sure}: the next is {slower(answer.best, others[0])}"
            if others
            else "no other implementation has a time"
        )
    if more := repetitions_to_decide(answer):
        return f"open: {plural(more, 'more repetition')} may decide it"
    return f"tie of {len(leaders)}"


def mark(answer: Answer) -> str:
    """Return the mark of the leaders' rows in a page's table: "fastest", "tie" or "open"."""
    fastest = answer.fastest
    if answer.only_cpu or not fastest.tie or len(fastest.samples) < 2 or repetitions_to_decide(answer):
        return "open"
    return "tie" if len(answer.leaders) > 1 else "fastest"


def repetitions_to_decide(answer: Answer) -> int:
    """Return the number of additional repetitions that are expected to separate the leaders.

    Return 0 if no comparison of leaders is AMBIGUOUS, or if more than MOST_REPETITIONS are needed.
    """
    fastest, rivals = answer.fastest, [best.case for best in answer.leaders if best.case is not answer.fastest.case]
    compared = (fastest.compared[case] for case in rivals)
    more = max(
        (
            verdicts.more_repetitions(comparison, len(fastest.samples), fastest.case.scatter.same_within)
            for comparison in compared
        ),
        default=0,
    )
    return more if more <= MOST_REPETITIONS else 0


def to_decide(answer: Answer) -> str:
    """Return options of the command `run` that should decide an open or undecided Answer; "" if there are none."""
    if answer.only_cpu:
        return f"--size {answer.size} --backend cffi --backend numba"
    if answer.best and answer.fastest.tie and (more := repetitions_to_decide(answer)):
        return f"--config 'protocol={{repetitions: {{max: {len(answer.fastest.samples) + more}}}}}'"
    return ""


def details(answer: Answer) -> list[str]:
    """Return the sentences after the headline: order of a tie, least code, NumPy, other places of data, GPU, start-up.

    If `answer.base` is true, their topics are base, its hollow backends and other places of data.
    """
    if not answer.best and not answer.base:
        return []
    parts = (_class, _elsewhere) if answer.base else (_order, _least, _numpy, _elsewhere, _gpu, _soonest)
    return [sentence for part in parts for sentence in part(answer) if sentence]


def names(answer: Answer, bests) -> str:
    labels = [named(answer, best) for best in bests[:MOST_NAMES]]
    if len(bests) > MOST_NAMES:
        return f"{', '.join(labels)} or {len(bests) - MOST_NAMES} more"
    return " or ".join(filter(None, [", ".join(labels[:-1]), labels[-1]]))


def _ties_with_numpy(answer):
    return any(best.case.is_baseline for best in answer.leaders)


def _order(answer):
    if len(answer.leaders) > 1 and answer.total_s(answer.best) is not None:
        yield "They are ordered by the total time of the calls, start-up included."
    if answer.best.case.is_baseline or _ties_with_numpy(answer):
        yield "Nothing is proven faster than NumPy."


def _least(answer):
    least = answer.least
    if not least or (least is answer.best and len(answer.leaders) == 1):
        return
    code = plural(lines_of(least), "line")
    if least in answer.leaders:
        yield f"Least code among them: {named(answer, least)}, {code}."
    else:
        yield f"Least code within 25\N{NO-BREAK SPACE}%: {named(answer, least)}, {code}, {seconds(least.seconds)}."


def _numpy(answer):
    if not answer.numpy:
        why = next((one for one in answer.missing if any(name.startswith("numpy_") for name in one.who)), None)
        if why:
            yield f"NumPy has no time here: {why.outcome.replace('_', ' ')}, {why.reason}."
    elif not _ties_with_numpy(answer) and answer.numpy.seconds > answer.best.seconds:
        lost = answer.numpy.seconds - answer.best.seconds
        yield (
            f"Staying with NumPy costs {seconds(lost)} a call: "
            f"the best takes {percent(lost / answer.numpy.seconds)} less."
        )


def _elsewhere(answer):
    """Yield a sentence for each distinct answer at other places of the data, if a GPU was measured."""
    places_by_sentence = {}
    for place, other in answer.elsewhere.items() if answer.has_gpu else ():
        places_by_sentence.setdefault(f"{names(other, other.leaders)}, {seconds(other.best.seconds)}", []).append(place)
    yield from (f"Data {' or '.join(places)}: {sentence}." for sentence, places in places_by_sentence.items())


def _gpu(answer):
    return (sentence for sizes, sentence in brackets(answer) if sizes is answer.gpu_pays)


def _soonest(answer):
    soonest = answer.soonest
    if soonest and soonest not in answer.leaders:
        total = seconds(answer.total_s(soonest))
        yield f"Including start-up, {named(answer, soonest)} ends {plural(answer.calls, 'call')} first: in {total}."


def _class(answer):
    main = next(iter(answer.analysis.kernels[answer.family.kernel].algorithms), "")
    yield f"Base compares backends: the main algorithm ({main}), strict, native, with one thread of the cores."
    if answer.hollow:
        yield f"Without a version in base (hollow): {', '.join(best.case.record.backend for best in answer.hollow)}."


def brackets(answer: Answer) -> list[tuple[Bracket, str]]:
    """Return [(Bracket, sentence)] of two choices: a GPU instead of the cores, and another library instead of NumPy.

    Omit choices whose Bracket (range of sizes) is unknown. Return [] if `answer.base` is true.
    """
    if answer.base:
        return []
    pays, beaten = bracket(answer.gpu_pays, "A GPU instead of the cores"), bracket(answer.numpy_beaten, "Leaving NumPy")
    pairs = [(answer.gpu_pays, pays and f"{pays[:-1]}, data {answer.place}."), (answer.numpy_beaten, beaten)]
    return [(sizes, sentence) for sizes, sentence in pairs if sentence]


def bracket(sizes, who) -> str:
    """Return a sentence on the sizes at which the choice `who` is faster; "" if the Bracket `sizes` is unknown."""
    measured = (
        f"up to {size(sizes.up_to)}, the largest size at which both sides were measured" if sizes.up_to else "measured"
    )
    one = (
        f"{size(sizes.up_to)}, the only size at which both sides were measured"
        if sizes.up_to
        else "the only measured size"
    )
    if sizes.crossover == "from":
        more = f" (measure {size(sizes.between)} to narrow this range)" if sizes.between else ""
        return f"{who} pays from a size between {size(sizes.below)} and {size(sizes.at)} on{more}."
    sentences = {
        "always": f"{who} pays at {one if sizes.alone else f'every size {measured}'}.",
        "never": f"{who} does not pay at {one if sizes.alone else f'any size {measured}'}.",
        "sometimes": f"{who} pays at some sizes {measured}, not at the largest.",
    }
    return sentences.get(sizes.crossover, "")


def slower(best: choosing.Best, other: choosing.Best) -> str:
    """Return as text how many times slower `other` is than `best`.

    If `other` left the race, later repetitions did not measure it. The ratio then has only two digits, and the text
    gives the number of repetitions.
    """
    left = bool(other.case.record.left)
    more = f" ({repetitions(other)})" if left else ""
    return f"{ratio(other.seconds / best.seconds, 2 if left else 3)} slower{more}"


def repetitions(best: choosing.Best) -> str:
    """Return the number of repetitions of a Best, as text: "2 of 5 repetitions" if it left the race after two.

    The total (5) is the largest number of repetitions of a case that stayed in the race. Baselines, which
    are measured again beside tuned cases, count only if no other case stayed.
    """
    count = len(best.samples)
    if not best.case.record.left:
        return plural(count, "repetition")
    others = ((not c.is_baseline, len(c.samples("compute"))) for c in best.case.beside if c.ok and not c.record.left)
    return f"{count} of {plural(max(count, max(others, default=(False, count))[1]), 'repetition')}"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def percent(value: float) -> str:
    whole = math.floor(100 * value + 0.5)
    return "over 99\N{NO-BREAK SPACE}%" if whole == 100 and value < 1 else f"{whole}\N{NO-BREAK SPACE}%"


def standing(answer: Answer, best: choosing.Best) -> str:
    """Return the mark of a Best in a page's table: "implausible", the leaders' mark, "undetermined", or ""."""
    if best.case.implausible:
        return "implausible"
    if best in answer.leaders:
        return mark(answer)
    return "undetermined" if best.case in answer.fastest.undetermined else ""


def at_hand(analysis: Analysis, best: choosing.Best) -> choosing.Best:
    """Return the Best whose details, such as its samples, pages show for `best`.

    If the data of `best` are kept on the device for several calls, return the implementation's Best on resident data.
    """
    if not isinstance(best.kind, cases.AmortisedTransfer):
        return best
    return next(
        candidate
        for candidate in analysis.implementations("throughput")[best.case.problem]
        if choices.by_implementation(candidate.case) == choices.by_implementation(best.case)
    )


def written(record: Record) -> str:
    """Return the recorded algorithm and math mode as text, and the target if it is generic."""
    target = "generic" if record.target == "generic" else None
    return ", ".join(filter(None, (record.algorithm, record.math, target)))


def manner(record: Record) -> str:
    """Return the algorithm, math mode, target (if generic) and number of threads of a record, as text."""
    return ", ".join(filter(None, (written(record), record.threads and plural(record.threads, "thread"))))


def conditions(best: choosing.Best) -> str:
    """Return the number of repetitions of a Best and the marks of its case, as text."""
    case = best.case
    flags = {
        "noisy": case.record.noisy,
        "in cache": case.record.cache_resident,
        "launch-bound": best.kind == "throughput" and cases.is_launch_bound(case),
        "not converged": not case.timing(best.kind).converged,
        "implausible": case.implausible,
        "drifts": noise.drifts(case),
    }
    return ", ".join([repetitions(best), *(name for name, holds in flags.items() if holds)])


def clocks(analysis: Analysis, case) -> str:
    """Return the lowest and highest clock frequency of a case's device, and the energy of a call, as text.

    The frequencies are those at the beginning and end of each pass of the case's repetitions.
    """
    record = case.record
    states = [state for several in record.environment.system_state for state in several]
    if case.on_accelerator:
        places = _places_of(record.device, [gpu.name for gpu in analysis.machine.gpus])
        gpus = (gpu for state in states for place, gpu in enumerate(state.gpus) if not places or place in places)
        name, frequencies = "GPU", [mhz for gpu in gpus for mhz in gpu.sm_clock_mhz if mhz]
    else:
        name, frequencies = "cores", [mhz for state in states for mhz in state.frequency_mhz if mhz]
    ends = sorted({round(min(frequencies)), round(max(frequencies))}) if frequencies else []
    texts = [f"{name} {' to '.join(map(str, ends))} MHz"] if ends else []
    return "; ".join([*texts, *([f"{record.energy_j:.3g} J a call"] if record.energy_j else [])])


def _places_of(device, names):
    """Return the positions of a device in a list of GPU names.

    There are several positions if the device's name is ambiguous, and none for a MIG instance.
    """
    name, _, number = device.partition(" #")
    places = [place for place, other in enumerate(names) if other == name]
    return places[int(number) - 1 : int(number)] if number else places


def strip(samples: Samples) -> str:
    """Return STRIP evenly spaced samples of each repetition as characters.

    The distance of a sample from the median of all samples determines its character in TONES.
    """
    taken = [list(rounds.values()) for rounds in samples.values()]
    centre, middle = median([s for rounds in taken for s in rounds]), len(TONES) // 2
    spaced = (rounds[number * len(rounds) // STRIP] for rounds in taken for number in range(STRIP))
    steps = (middle + round(math.log(s / centre) / SHADE) for s in spaced)
    return "".join(TONES[max(0, min(2 * middle, step))] for step in steps)
