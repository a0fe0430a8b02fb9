"""What a machine's results must be to stand in a collection, and how good they are: a grade with its reasons."""

import re
from functools import cache
from typing import Literal

from pydantic import Field

from accelbench import project
from accelbench.analysis.choices import accelerating
from accelbench.environments import UNLOCKED
from accelbench.model.machine import Described
from accelbench.model.names import PROTOCOL_VERSION

REFUSED = "refused"
LETTERS = ("A", "B", "C")  # without a remark, with one, with more
FILE = "grade.json"  # of a folder in a collection
FEWEST = 2  # repetitions of a case
ONCE, NOISY = 0.1, 0.5  # shares of the cases: of more results are refused
A_FEW = 0.05  # so large a share of noisy cases is no remark
SHOWN = 2  # names of a list
LOCKS = ("base", "cuda12")  # of accelbench's own Python, which agree where they share a package


class Grade(Described):
    """grade.json: one of LETTERS or REFUSED, the rules that are broken, and what else a reader must know."""

    grade: Literal["A", "B", "C", "refused"]
    broken: list[str] = Field(default_factory=list)
    remarks: list[str] = Field(default_factory=list)

    @property
    def is_refused(self):
        return self.grade == REFUSED

    @property
    def reasons(self):
        """All of them, the broken rules first."""
        return [*self.broken, *self.remarks]


def grade(analysis) -> Grade:
    """The Grade of an Analysis."""
    cases = [case for case in accelerating(analysis.cases) if case.ok]
    broken = [*_repetitions(cases), *_unrest(cases, over=NOISY), *_implausible(cases)] if cases else ["no case is ok"]
    remarks = [] if _unrest(cases, over=NOISY) else _unrest(cases, over=A_FEW)
    remarks += [*_unlocked(analysis.machine), *_origin(analysis.results)]
    letter = REFUSED if broken else LETTERS[min(len(remarks), len(LETTERS) - 1)]
    return Grade(grade=letter, broken=broken, remarks=remarks)


def _repetitions(cases):
    once = [case.id for case in cases if len(case.samples("compute")) < FEWEST]
    if len(once) > ONCE * len(cases):
        yield f"{len(once)} of {len(cases)} cases were measured once, {_some(once)}: run --settle, or more repetitions"


def _unrest(cases, *, over):
    noisy = [case.id for case in cases if case.record.noisy]
    if len(noisy) <= over * len(cases):
        return []
    return [f"{len(noisy)} of {len(cases)} cases are noisy, {_some(noisy)}: run --again on a quiet machine"]


def _implausible(cases):
    if found := [case.id for case in cases if case.implausible]:
        count, mend = ("1 case is", "it") if len(found) == 1 else (f"{len(found)} cases are", "them")
        yield f"{count} faster than the machine can be, {_some(found)}: run --again, or mend {mend}"


def _unlocked(machine):
    """One remark, whatever is not as a lock says."""
    there = {name: environment for name, environment in machine.environments.items() if environment.python is not None}
    names = [name for name, environment in there.items() if environment.lock in (None, UNLOCKED)]
    pins = pinned()
    other = [f"{name} {v}" for name, v in machine.distributions.items() if pins.get(name, v) != v]
    if other:
        names.insert(0, f"accelbench's own Python ({_some(other)})")
    if names:
        yield f"versions are not those of the locks: {', '.join(names)}"


def _origin(results):
    runs = [run for _, run in results.runs]
    if not runs or any(run.commit is None for run in runs):
        yield "the commit is not known"
    elif any(run.dirty for run in runs):
        yield "the commit had uncommitted changes"
    if old := sorted({run.protocol_version for run in runs} - {PROTOCOL_VERSION}):
        yield f"measured by version {', '.join(map(str, old))} of the protocol; today's is {PROTOCOL_VERSION}"


@cache
def pinned():
    """{package: version} of the locks of accelbench's own Python."""
    texts = [(project.ROOT / "envs" / f"{name}.lock").read_text(encoding="utf-8") for name in LOCKS]
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", "\n".join(texts), re.MULTILINE))


def _some(names):
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
