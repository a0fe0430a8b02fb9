"""Figures of the kind `code`: two sources side by side."""

from accelbench.figures import chart, listing, style
from accelbench.lectures import measured, views


def code(entry, results):
    """Return the View of two sources side by side, and of their times. Lines that differ are marked."""
    sources = views.shown(entry, results)
    implementations = {(source.kernel, source.implementation) for source in sources}
    for code in entry.code:
        if (code.kernel, code.implementation) not in implementations:
            return views.nothing(f"{code.kernel}/{code.implementation} does not exist")
    columns, sentences = _compare_texts([(source.implementation, source.files[0].text) for source in sources])
    if len(entry.slide_code) == 2:
        quoted, remarks = _compare_texts([(quoted.name, quoted.text) for quoted in entry.slide_code], " on the slide")
        columns, sentences = quoted + columns, remarks + sentences
    times = _side_by_side(entry, results)
    (first, one), (second, other) = times
    compared = results.ratio(other, one)
    if compared.ratio:
        sentences.append(f"{second} takes {results.text(style.ratio, *compared[:3])} the time of {first}.")
    rows = [
        [name, results.text(style.seconds, v.seconds, *v.interval) if v.case else v.reason, views.how(v)]
        for name, v in times
    ]
    return views.View(
        listing.Listing(columns),
        " ".join(sentences),
        chart.Table(("", views.KINDS_OF_TIME[entry.time], "how"), rows),
        sentences=sentences,
        missing=[f"the time of {name}: {value.reason}" for name, value in times if value.seconds is None],
    )


def _compare_texts(pair, where=""):
    """Mark the lines that differ between two texts.

    Return ([(name, [(line, whether it is marked), ...]) for each text], [sentence that counts the common lines]).
    """
    (first, one), (second, other) = pair
    marked, same = views.compare_lines(one, other)
    longest = max(sum(bool(line.strip()) for line, _ in lines) for lines in marked)
    columns = [(name + where, lines) for (name, _), lines in zip(pair, marked, strict=True)]
    return columns, [f"{same} of {longest} lines are the same in {first} and {second}{where}; the others are marked."]


def _side_by_side(entry, results):
    """Return [(implementation, Value with its time), ...] for the two sources.

    If both sources were timed on a GPU, both times come from the GPU. A CPU's time is not comparable with a GPU's time.
    """
    for device in ("gpu", None):
        cases = [results.matching(code.implementation, kernel=code.kernel, device=device) for code in entry.code]
        times = [
            (code.implementation, measured.fastest(matches, entry.time))
            for code, matches in zip(entry.code, cases, strict=True)
        ]
        if all(value.seconds for _, value in times):
            break
    return times
