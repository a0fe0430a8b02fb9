"""Figures of the kind `code`: two sources side by side."""

from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.listing import Listing
from accelbench.lectures import sources
from accelbench.lectures.value import fastest
from accelbench.lectures.view import KINDS_OF_TIME, View, how, nothing


def view(entry, results):
    """Return the View of two sources with the lines marked that differ, and of their times."""
    shown = sources.shown(entry, results)
    found = {(source.kernel, source.implementation) for source in shown}
    for code in entry.code:
        if (code.kernel, code.implementation) not in found:
            return nothing(f"{code.kernel}/{code.implementation} is not there")
    columns, sentence = _compare([(source.implementation, source.files[0].text) for source in shown])
    sentences = [sentence]
    if len(entry.slide_code) == 2:
        quoted, sentence = _compare([(quoted.name, quoted.text) for quoted in entry.slide_code], " on the slide")
        columns, sentences = quoted + columns, [sentence, *sentences]
    times = _side_by_side(entry, results)
    (first, one), (second, other) = times
    if ratio := results.ratio(one, other).ratio:
        sentences.append(f"{second} takes {style.ratio(1 / ratio)} the time of {first}.")
    return View(
        Listing(columns),
        " ".join(sentences),
        Table(
            ("", KINDS_OF_TIME[entry.time], "how"),
            [[name, style.seconds(v.seconds) if v.case else v.reason, how(v)] for name, v in times],
        ),
        sentences=sentences,
        missing=[f"the time of {name}: {value.reason}" for name, value in times if value.seconds is None],
        sources=sources.marked(shown),
    )


def _compare(pair, where=""):
    """Two (name, text) with each line marked that the other has not, and how many they share, in words."""
    (first, one), (second, other) = pair
    marked, same = sources.compare_lines(one, other)
    longest = max(sum(bool(line.strip()) for line, _ in lines) for lines in marked)
    columns = [(name + where, lines) for (name, _), lines in zip(pair, marked, strict=True)]
    return columns, f"{same} of {longest} lines are the same in {first} and {second}{where}; the others are marked."


def _side_by_side(entry, results):
    """[(implementation, Value)] of the two sources: both on a GPU where they have times of one: a time of the
    processor says nothing beside one of a GPU."""
    for device in ("gpu", None):
        times = []
        for source in entry.code:
            cases = results.matching(source.implementation, kernel=source.kernel)
            times.append((source.implementation, fastest(results.running(cases, device=device), entry.time)))
        if all(value.seconds for _, value in times):
            break
    return times
