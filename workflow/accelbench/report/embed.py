"""All Answers of a machine as plain data. The script of index.html selects one Answer.

The data are compact. The list "strings" contains each distinct text, row and state (Answer to one choice of the reader)
once. Other data contain indices into this list. Times are in nanoseconds, as whole numbers if possible. An index of a
row is stored as the difference from the previous index.
"""

import re
from itertools import pairwise

from accelbench.analysis import cases, memory, startup
from accelbench.decide import portfolio, words
from accelbench.decide.answer import CALLS, USUAL_CALLS, Answers, lines_of, on_cores, shown
from accelbench.pages import source

# Compiler options that affect the speed of the result
OPTION = re.compile(r"(?<= )-(?:O|f(?!PIC|atbin|visibility|no-diagnostics)|march|std|D|cl-|gencode)\S+")


class Strings:
    """Table of distinct values and their indices. A value is a text, or a tuple of texts, numbers and indices."""

    def __init__(self):
        self.places = {}

    def place(self, value):
        return self.places.setdefault(value or "", len(self.places))

    def texts(self, values):
        return self.place(tuple(map(self.place, values)))


def data(answers: Answers, command, annotations: dict) -> dict:
    """Return the data for the script: {"places": ..., "families": [...], "portfolios": ..., "strings": [...], ...}.

    command      command(kernel, words) returns the shell command that measures more cases
    annotations  {(kernel, implementation, index of the build): link to an annotated page of Cython}
    """
    strings = Strings()
    states = [*((calls, False) for calls in CALLS), *[(USUAL_CALLS, True)] * answers.analysis.has_classes]
    families = [
        {
            "kernel": family.kernel,
            "dtype": family.dtype,
            "options": family.options,
            "title": family.title,
            "usual": answers.usual(family).size,
            "problems": [_Problem(answers, family, size, strings=strings, command=command).data for size in sizes],
        }
        for family, sizes in answers.sizes.items()
    ]
    return {
        "machine": answers.analysis.machine.name,
        "places": answers.places,
        "calls": CALLS,
        "base": answers.analysis.has_classes,
        "tones": [words.TONES[0], len(words.TONES) // 2, words.SHADE, words.STRIP],
        "families": families,
        "portfolios": {
            place: [strings.texts(learning(answers, place, calls, base=base)) for calls, base in states]
            for place in answers.places
        },
        "sources": _sources(answers.analysis, strings, annotations),
        "strings": [*strings.places],
    }


class _Problem:
    """Data of a problem for the page: its ways, their times of each kind, and the problem's states.

    A way is an implementation on a device. A state is the Answer to one choice of the reader: for a place of the data
    and a number of calls, or for the base ranking (main algorithm, strict, native, on the host with one thread).
    """

    def __init__(self, answers, family, size, *, strings, command):
        self.place, self.texts, self.command, self.analysis = strings.place, strings.texts, command, answers.analysis
        self.starting = answers.starting
        self.ways, self.times, self.kinds = {}, [], []
        self.data = {
            "size": size,
            "states": {
                place: [self.place(self._state(answer)) for answer in answers.states(family, size, place)]
                for place in answers.places
            },
            "times": self.times,
            "ways": list(self.ways.values()),
            "missing": [
                [
                    [*map(self.place, one.who)],
                    one.cases,
                    *map(self.place, (one.outcome, one.reason, one.remedy or "none")),
                ]
                for one in answers.at(family, size, place=next(iter(answers.places)), calls=CALLS[0]).missing
            ],
        }

    def _state(self, answer):
        """Return the data of an Answer as a tuple of indices.

        The first items are the kind of time, the sentences, the brackets and the command that decides the answer. Then
        follow the ways of four groups: the leaders (the fastest and its ties), the Pareto front, undetermined
        implementations, and the hollow ones (those of backends without times in base). The last item is the
        leaders' mark.
        """
        kind, unsure = (answer.kind, answer.base), answer.fastest.undetermined if answer.fastest else ()
        if kind not in self.kinds:
            self.kinds.append(kind)
            places = [self.place(self._row(best)) for best in answer.by_time]
            self.times.append([place - last for last, place in pairwise([0, *places])])
        sentences = self.texts((words.headline(answer), *words.details(answer)))
        asked = words.to_decide(answer)
        decides = asked and self.command(answer.family.kernel, asked)
        undetermined = [best for best in answer.by_time if best.case in unsure]
        ways = (answer.leaders, answer.front, undetermined, answer.hollow)
        several = tuple(self._brackets(answer)), decides, *(tuple(map(self._way, bests)) for bests in ways)
        several = *several, answer.fastest and words.mark(answer)
        return self.kinds.index(kind), sentences, *map(self.place, several)

    def _brackets(self, answer):
        """Yield the index of (sentence, below, at, command) of each Bracket."""
        for bracket, sentence in words.brackets(answer):
            more = bracket.between and self.command(answer.family.kernel, f"--size {bracket.between}")
            yield self.place((self.place(sentence), bracket.below, bracket.at, self.place(more)))

    def _way(self, best):
        """Return the index of a Best's way. Add the way if it is new."""
        record, case = best.case.record, best.case
        key = record.implementation, record.device
        if key not in self.ways:
            place = case.id.removesuffix(f"/{cases.parameter_id(case)}").rpartition("/")[2]
            device = "" if on_cores(case) else self.analysis.short_devices[record.device]
            named = map(self.place, (record.implementation, record.backend, device, place))
            kind = case.on_accelerator + 2 * case.is_baseline
            written = [self.place(text) for text in [words.written(record)] if text]
            self.ways[key] = [*named, kind, lines_of(best) or None, *written]
        return list(self.ways).index(key)

    @memory.remembered
    def _row(self, best):
        """Return (way, nanoseconds, distances to the lower and upper end of the interval, details) of a Best."""
        seconds, (low, high) = shown(best.seconds), map(shown, best.interval or (None, None))
        ends = (None, None) if low is None else (seconds - low, high - seconds)
        return self._way(best), *map(_nanoseconds, (seconds, *ends)), self.place(self._details(best))

    def _details(self, best):
        """Return (numbers and texts, conditions, samples) of a Best.

        The first item has the start-up time, share of the peak, parameters, clocks, and peak memory in megabytes if it
        was recorded.
        """
        starting, best = self.starting.get(startup.key_of(best.case)), words.at_hand(self.analysis, best)
        case = best.case
        shares = starting, shown(case.fraction_of_peak)
        texts = map(self.place, (cases.parameter_id(case), words.clocks(self.analysis, case)))
        peak_bytes = case.record.peak_memory_bytes
        known = *shares, *texts, *([] if peak_bytes is None else [round(peak_bytes / 1e6)])
        return self.place(known), self.place(words.conditions(best)), words.strip(best.samples)


def _nanoseconds(seconds):
    """Return seconds as nanoseconds with six significant digits. Whole numbers become int, which is shorter in JSON."""
    if seconds is None:
        return None
    nanoseconds = float(f"{seconds * 1e9:.6g}")
    return int(nanoseconds) if nanoseconds.is_integer() else nanoseconds


def learning(answers: Answers, place: str, calls: int, *, base: bool = False) -> list[str]:
    """Return a text for each portfolio (set of backends): "backends|share of the best speed|lines and packages".

    The last part has the number of lines of code, and the packages and compilers to install.
    """
    return [
        "|".join([
            " + ".join(one.backends) or "NumPy alone", words.percent(one.share),
            ", ".join(filter(None, [words.plural(one.lines, "line"), portfolio.needs(answers, one)])),
        ])
        for one in portfolio.of(answers, place, calls, base=base)
    ]  # fmt: skip


def _sources(analysis, strings, annotations):
    """Return {kernel: {implementation: [title, [(file, excerpt)], compilers]}} of implementations with a time.

    If Cython made an annotated page, the fourth item of the list is the page's path in build/<kernel>/.
    """
    # Excerpts are shorter if the page has many kernels, since the page is limited to 400 kB
    sources, lines = {}, min(source.MOST_LINES, 48 // max(1, len(analysis.kernels)))
    pages = {(kernel, name): link.split("/", 2)[-1] for (kernel, name, _), link in annotations.items()}
    for kernel, metadata in analysis.kernels.items():
        records = (case.record for case in analysis.by_kernel[kernel] if case.ok)
        timed = {
            name for record in records for name in (record.implementation, record.implementation.partition("@")[0])
        }
        sources[kernel] = {
            name: [
                strings.place(about.title),
                [[strings.place(file.name), strings.place(source.excerpt(file, lines))] for file in about.files],
                strings.place(compiled(about)),
                *filter(None, [pages.get((kernel, name))]),
            ]
            for name, about in metadata.implementations.items()
            if name in timed
        }
    return sources


def compiled(about) -> str:
    """Return as text the compilers of an implementation with their options; "" if nothing was built ahead of time."""
    compilers = (
        ["the device's driver" if artifact.device else artifact.compiler.split(", ")[0],
         *dict.fromkeys(OPTION.findall(artifact.command or ""))]
        for artifact in about.build
        if artifact.outcome == "ok"
    )  # fmt: skip
    return "; ".join(dict.fromkeys(map(" ".join, compilers)))
