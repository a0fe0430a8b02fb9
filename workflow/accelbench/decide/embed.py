"""All Answers of a machine as plain data, among which a page's script selects.

Every text, row and state that several share stands once in "strings". Seconds are whole nanoseconds where that is
shorter.
"""

import re

from accelbench.analysis.cases import parameter_id
from accelbench.analysis.startup import key_of
from accelbench.decide import facts, portfolio, words
from accelbench.decide.answer import CALLS, Answers, lines_of, on_cores, shown
from accelbench.pages import source

# Of a command that compiles: what decides how fast its result is.
OPTION = re.compile(r"(?<= )-(?:O|f(?!PIC|atbin|visibility|no-diagnostics)|march|std|D|cl-|gencode)\S+")


class Strings:
    """Values by their place, each once: texts, and tuples of values and places."""

    def __init__(self):
        self._places = {}

    def place(self, value):
        return self._places.setdefault(value or "", len(self._places))

    @property
    def found(self):
        return list(self._places)


def data(answers: Answers, command, annotations: dict) -> dict:
    """{"places": ..., "families": [...], "portfolios": ..., "strings": [...]} and what else the script reads.

    command      command(kernel, words): the shell command that measures more
    annotations  {(kernel, implementation, place in its build): link to a page that Cython wrote}
    """
    strings = Strings()
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
        "tones": [facts.TONES[0], len(facts.TONES) // 2, facts.SHADE, facts.STRIP],
        "families": families,
        "portfolios": {
            place: [strings.place(tuple(map(strings.place, learning(answers, place, calls)))) for calls in CALLS]
            for place in answers.places
        },
        "sources": _sources(answers.analysis, strings, annotations),
        "strings": strings.found,
    }


class _Problem:
    """The data of a problem: its ways (implementations on devices), their times of each kind, and what is told of each
    state: a place of the data with each of CALLS."""

    def __init__(self, answers, family, size, *, strings, command):
        self.place, self.command, self.analysis = strings.place, command, answers.analysis
        self.ways, self.times, self.kinds = {}, [], []
        asked = {
            place: [answers.at(family, size, place=place, calls=calls) for calls in CALLS] for place in answers.places
        }
        self.data = {
            "size": size,
            "states": {
                place: [self.place(self._state(answer)) for answer in several] for place, several in asked.items()
            },
            "times": self.times,
            "ways": list(self.ways.values()),
            "missing": [
                [[*map(self.place, one.who)], one.cases, *map(self.place, (one.outcome, one.reason, one.remedy))]
                for one in answers.at(family, size, place=next(iter(answers.places)), calls=CALLS[0]).missing
            ],
        }

    def _state(self, answer):
        """(kind of time, leaders, what is told, brackets, front, repetitions that would decide)."""
        if answer.kind not in self.kinds:
            self.kinds.append(answer.kind)
            self.times.append([self.place(self._row(answer, best)) for best in answer.by_time])
        told = tuple(self.place(text) for text in (words.headline(answer), *words.details(answer)))
        leaders, front = (tuple(map(self._way, several)) for several in (answer.leaders, answer.front))
        several = self.place(leaders), self.place(told), self.place(tuple(self._brackets(answer))), self.place(front)
        return self.kinds.index(answer.kind), *several, words.repetitions_to_decide(answer)

    def _brackets(self, answer):
        """The place of (sentence, below, at, command) of each."""
        for bracket, sentence in words.brackets(answer):
            more = bracket.between and self.command(answer.family.kernel, f"--size {bracket.between}")
            yield self.place((self.place(sentence), bracket.below, bracket.at, self.place(more)))

    def _way(self, best):
        """Its place among the ways."""
        record, case = best.case.record, best.case
        key = record.implementation, record.device
        if key not in self.ways:
            place = case.id.removesuffix(f"/{parameter_id(case)}").rpartition("/")[2]
            device = "" if on_cores(case) else self.analysis.short_devices[record.device]
            named = map(self.place, (record.implementation, record.backend, device, place))
            startup = self.analysis.startup.get(key_of(case))
            kind = case.on_accelerator + 2 * case.is_baseline
            self.ways[key] = [*named, kind, lines_of(best) or None, shown(startup and startup.total_s)]
            self.ways[key] += [self.place(text) for text in [facts.written(record)] if text]
        return list(self.ways).index(key)

    def _row(self, answer, best):
        """(way, nanoseconds, their interval, standing, details)."""
        times = map(_nanoseconds, (best.seconds, *(best.interval or (None, None))))
        return self._way(best), *times, self.place(facts.standing(answer, best)), self.place(self._details(best))

    def _details(self, best):
        """(share of the peak, conditions, parameters, clocks, samples), and megabytes beyond its arrays if recorded."""
        best = facts.at_hand(self.analysis, best)
        texts = facts.conditions(best), parameter_id(best.case), facts.clocks(self.analysis, best.case)
        held = best.case.record.peak_memory_bytes
        more = [] if held is None else [round(held / 1e6)]
        return shown(best.case.fraction_of_peak), *map(self.place, texts), facts.strip(best.samples), *more


def _nanoseconds(seconds):
    """A whole number where it is one: most times are, and so the shortest that can be written."""
    if seconds is None:
        return None
    found = float(f"{shown(seconds) * 1e9:.6g}")
    return int(found) if found.is_integer() else found


def learning(answers: Answers, place: str, calls: int) -> list[str]:
    """The backends of each portfolio, what they keep, their lines and what must be installed, "|" between."""
    return [
        "|".join([
            " + ".join(one.backends) or "NumPy alone", words.percent(one.share),
            ", ".join(filter(None, [words.plural(one.lines, "line"), portfolio.needs(answers, one)])),
        ])
        for one in portfolio.of(answers, place, calls)
    ]  # fmt: skip


def _sources(analysis, strings, annotations):
    """{kernel: {implementation: [title, [(file, what of it a slide shows)], what compiled it]}} of what has a time; a
    fourth is where Cython's page of it lies in build/<kernel>/."""
    found = {}
    pages = {(kernel, name): link.split("/", 2)[-1] for (kernel, name, _), link in annotations.items()}
    for kernel, metadata in analysis.kernels.items():
        own = (case.record for case in analysis.by_kernel[kernel] if case.ok)
        timed = {name for record in own for name in (record.implementation, record.implementation.partition("@")[0])}
        found[kernel] = {
            name: [
                strings.place(about.title),
                [[strings.place(file.name), strings.place(source.excerpt(file))] for file in about.files],
                strings.place(compiled(about)),
                *filter(None, [pages.get((kernel, name))]),
            ]
            for name, about in metadata.implementations.items()
            if name in timed
        }
    return found


def compiled(about) -> str:
    """Its compilers, each with the options it was given; "" for what none compiled before it ran."""
    built = {}
    for artifact in about.build:
        compiler = "its device's driver" if artifact.device else artifact.compiler.split(", ")[0]
        if artifact.outcome == "ok":
            built[" ".join([compiler, *dict.fromkeys(OPTION.findall(artifact.command or ""))])] = None
    return "; ".join(built)
