"""An answer in words: the same, letter by letter, as the page's script says."""

from accelbench.figures.style import ratio, seconds, size

MOST_NAMES = 3


def named(candidate) -> str:
    """An implementation, with its device where that is not the cores."""
    return f"{candidate.name} on {candidate.device}" if candidate.device else candidate.name


def sentences(answer) -> list[str]:
    """What to take, the least code, what NumPy costs, from which size on a GPU pays, what starting up changes, and what
    was not measured."""
    if not answer.best:
        return ["Nothing has a time here."]
    parts = (_taken, _least, _numpy, _gpu, _soonest, _caveat)
    return [sentence for part in parts if (sentence := part(answer))]


def names(choices) -> str:
    told = [choice.name for choice in choices[:MOST_NAMES]]
    if len(choices) > MOST_NAMES:
        return f"{', '.join(told)} or {len(choices) - MOST_NAMES} more"
    return " or ".join(filter(None, [", ".join(told[:-1]), told[-1]]))


def _taken(answer):
    best, first = answer.best, answer.first
    if best.candidate.baseline:
        return f"NumPy itself, {best.name}: {seconds(first.seconds)} a call. Nothing is proven faster."
    if _ties_with_numpy(answer):
        return f"{names(answer.leaders)}: {seconds(first.seconds)} a call. None is proven faster than NumPy."
    gain = f", {ratio(first.speedup)} as fast as NumPy" if first.speedup else ""
    return f"{names(answer.leaders)}: {seconds(first.seconds)} a call{gain}."


def _ties_with_numpy(answer):
    return any(choice.candidate.baseline for choice in answer.leaders)


def _least(answer):
    least, leaders = answer.least, answer.leaders
    if not least or (least is answer.best and len(leaders) == 1):
        return ""
    code = lines(least.candidate.lines)
    if any(least is choice for choice in leaders):
        return f"Least code among them: {least.name}, {code}."
    return f"Least code within 25\N{NO-BREAK SPACE}%: {least.name}, {code}, {seconds(least.seconds)}."


def _numpy(answer):
    speedup = answer.first.speedup
    if not answer.numpy:
        return _without_numpy(answer.missing)
    if _ties_with_numpy(answer) or not speedup or speedup <= 1:
        return ""
    share = 1 - 1 / speedup
    return f"Staying with NumPy costs {seconds(share * answer.numpy.seconds)} a call, {percent(share)} of its time."


def _without_numpy(missing):
    """Why there is no time to compare with."""
    why = next((one for one in missing if any(name.startswith("numpy_") for name in one.who)), None)
    return f"NumPy has no time here: {why.outcome.replace('_', ' ')}, {why.reason}." if why else ""


def _gpu(answer):
    told = bracket(answer.gpu_pays, "The GPU")
    at = ", ".join(f"{seconds(best.seconds)} {place}" for place, best in answer.gpu_at.items())
    takes = f"; at this size its best takes {at}" if at else ""
    return told and f"{told[:-1]}, data {answer.state.place}{takes}."


def lines(count: int) -> str:
    return f"{count} {'line' if count == 1 else 'lines'}"


def needs(portfolio) -> str:
    """What must be installed for a Portfolio, as remedies say it; "" for nothing."""
    compilers = " and ".join(portfolio.compilers)
    packages = f"pip install {' '.join(portfolio.packages)}" if portfolio.packages else ""
    return ", ".join(filter(None, [packages, compilers and f"with {compilers}"]))


def front(choices) -> str:
    """Those that no other beats in both lines of code and time."""
    told = (f"{c.name} ({lines(c.candidate.lines)}, {seconds(c.seconds)})" for c in choices)
    return f"No other has both less code and less time than {'; '.join(told)}." if choices else ""


def bracket(found, who) -> str:
    """From which size on something pays, as a bracket."""
    measured = f"up to {size(found.up_to)}, the largest with both sides measured" if found.up_to else "measured"
    one = f"{size(found.up_to)}, the one size with both sides measured" if found.up_to else "the one size measured"
    match found.crossover:
        case "always":
            return f"{who} pays at {one if found.alone else f'every size {measured}'}."
        case "never":
            return f"{who} does not pay at {one if found.alone else f'any size {measured}'}."
        case "sometimes":
            return f"{who} pays at some sizes {measured}, not at the largest."
        case "from":
            more = f" (not known better: measure {size(found.between)})" if found.between else ""
            return f"{who} pays from a size between {size(found.below)} and {size(found.at)} on{more}."
    return ""


def _soonest(answer):
    soonest, state = answer.soonest, answer.state
    if not soonest or any(soonest is choice for choice in answer.leaders):
        return ""
    calls = "1 call is" if state.calls == 1 else f"{state.calls} calls are"
    return f"With starting up, {calls} done first by {soonest.name}: {seconds(soonest.all_s)} in all."


def _caveat(answer):
    if not answer.only_cpu:
        return ""
    alone = f"Nothing but {answer.only_cpu} was measured on the cores at this size"
    asked = f"run --kernel {answer.state.kernel} --size {answer.state.size} --backend cffi --backend numba"
    return f"{alone}, so whether the GPU pays is not known (python -m accelbench {asked})."


def percent(value) -> str:
    whole = int(100 * value + 0.5)
    return "over 99\N{NO-BREAK SPACE}%" if whole == 100 and value < 1 else f"{whole}\N{NO-BREAK SPACE}%"
