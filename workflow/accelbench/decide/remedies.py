"""What has no time, why, and what to do about it."""

import re
from dataclasses import dataclass

from accelbench.analysis.cases import Case
from accelbench.analysis.choices import group_by

# (what a reason says, the remedy); the first that is found.
BY_REASON = (
    (re.compile(r"no NVIDIA (?:driver|GPU)|libcuda"), "needs a computer with an NVIDIA GPU and its driver"),
    (re.compile(r"(?:\S+ -m pip|pip|apt|make) install [^;)]*"), "{}"),
    (re.compile(r"no OpenCL device"), "pip install pocl-binary-distribution"),
    (re.compile(r"max_call_s|limit .* is"), "raise protocol: max_call_s in the configuration"),
    (re.compile(r"block"), "none: the device allows no such block; smaller ones were measured"),
    (re.compile(r"float64|double|dtype"), "none: the device or the library lacks the type"),
)
BY_OUTCOME = {
    "too_slow": "raise protocol: max_call_s in the configuration",
    "timeout": "raise protocol: timeout_s in the configuration",
    "out_of_memory": "a smaller size, or a computer with more memory",
    "build_failed": "read the compiler's words: build log of its source",
    "wrong_result": "correct the implementation: its result is wrong",
    "unsupported": "none: the library cannot do this here",
    "unavailable": "install what its library asks for",
}
SOURCE_OF_MANY = re.compile(r"^\S+\.\w+: (?=.* not found: install )")  # that a compiler is missing for
AGAIN = "try it again: python -m accelbench run --retry"


@dataclass(frozen=True)
class Missing:
    """Cases of a problem that have no time for one reason."""

    who: tuple[str, ...]
    cases: int
    outcome: str
    reason: str
    remedy: str


def remedy(outcome: str, reason: str | None) -> str:
    """What would bring a time, in a line."""
    for pattern, words in BY_REASON:
        if found := pattern.search(reason or ""):
            return words.format(found[0])
    return BY_OUTCOME.get(outcome, AGAIN)


def of_problem(cases: list[Case]) -> list[Missing]:
    """What has no time among the cases of a problem: implementations that have none at all, those with one reason
    together."""
    timed = {case.record.implementation for case in cases if case.ok}
    absent = [case.record for case in cases if case.record.implementation not in timed]
    found = []
    for (outcome, told), several in group_by(absent, reason_of).items():
        who = tuple(dict.fromkeys(record.implementation for record in several))
        found.append(Missing(who, len(several), outcome, told, remedy(outcome, told)))
    return found


def reason_of(record) -> tuple[str, str]:
    """An outcome with its reason; what was too slow differs by its seconds alone, blocks that are too large by the
    device's limit, what a compiler is missing for by its source."""
    if record.outcome == "too_slow":
        return record.outcome, "a call takes longer than max_call_s allows"
    if record.outcome == "unsupported" and "block size" in (record.reason or ""):
        return record.outcome, "the device allows no such block"
    return record.outcome, SOURCE_OF_MANY.sub("", record.reason or "no reason was given")
