"""What the page says of how it was measured: how quiet the machine was, what it cost, and how to run it again."""

from dataclasses import dataclass
from statistics import median, mode

import yaml

import accelbench
from accelbench.analysis import Analysis
from accelbench.analysis.choices import accelerating
from accelbench.analysis.scatter import DEVICE
from accelbench.analysis.tables.measuring import TOTAL, MeasuringRow
from accelbench.analysis.tables.steps import PARTS, StepRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.config.repeat import to_repeat
from accelbench.figures import style
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.watched import is_peak
from accelbench.pages import spread

STEPS = {
    "sample": "samples, and asking for them",
    "inputs": "inputs and references",
    "compare": "results held against references",
    "changed": "calls with changed inputs; samples of long calls are among them",
    "checking": "checks after a problem's samples, of several cases at once",
    "recheck": "calls with other inputs",
    "refill": "other inputs handed to workers",
    "side by side": "workers started, arrays loaded, first results, of several cases at once",
    "open": "workers started alone, libraries imported",
    "load": "inputs handed to workers",
    "prepare": "what is compiled at run time",
    "warm_up": "how many calls make a sample",
    "energy": "energy a call",
    "reference": "samples of reference cases and peaks",
    "start references": "their workers started",
    "environment": "what workers run in",
    "release": "arrays freed",
    "between steps": "planning, ends of workers, journals",
}


@dataclass(frozen=True)
class PartOfTime:
    """A part of the time of measuring, of all kernels, with (StepRow, what it is) of its steps."""

    name: str
    steps: list[tuple[StepRow, str]]

    @property
    def seconds(self):
        return sum(row.seconds for row, _ in self.steps)

    @property
    def share(self):
        return sum(row.share or 0.0 for row, _ in self.steps)


@dataclass(frozen=True)
class Conditions:
    """How much of the time was spent measuring, and how quiet it was.

    parts       the time of measuring by its parts, those of `sampling`, `checking` and the `rest` that there are
    runs        what two runs of this machine differ by, in words; empty where nothing was compared
    noisy       how many of `ok` cases, none of a peak, were
    more_cores  those that kept more cores busy than they have threads
    shift       median of how far reference cases moved beside them
    repetitions  that most times come from; a baseline is in those of each group of cases
    facts       (name, value) of the machine when it was described
    instances   those of the machine that the repetitions come from, in words; older results name none
    """

    total: MeasuringRow
    parts: list[PartOfTime]
    runs: str
    noisy: int
    ok: int
    more_cores: list[TimingRow]
    shift: float | None
    repetitions: int | None
    facts: list[tuple[str, str]]
    instances: list[str]


def conditions(analysis: Analysis) -> Conditions:
    """The Conditions that the results were measured under."""
    (total,) = analysis.table(MeasuringRow, TOTAL)
    rows = [row for row in analysis.table(TimingRow, outcome="ok") if not is_peak(row.kernel)]
    noisy = [row for row in rows if row.noisy]
    beside = {(r.kernel, r.options, r.dtype, r.size, r.device): r.reference_shift for r in noisy}
    shifts = [shift for shift in beside.values() if shift is not None]
    return Conditions(
        total=total,
        parts=parts(analysis),
        runs=differing(analysis),
        noisy=len(noisy),
        ok=len(rows),
        more_cores=[row for row in rows if row.more_cores],
        shift=median(shifts) if shifts else None,
        repetitions=mode(row.repetitions for row in rows) if rows else None,
        facts=_facts(analysis.machine.system_state),
        instances=instances(analysis),
    )


def instances(analysis: Analysis) -> list[str]:
    """The instances of the machine that anything was measured on, in words, in the order of their first runs."""
    runs = sorted((run for _, run in analysis.results.runs if run.instance), key=lambda run: run.begin)
    return list({run.instance: str(run.hardware or run.instance) for run in runs}.values())


def old(analysis: Analysis) -> str | None:
    """Return a sentence that names older versions of the protocol than today's; None where there are none."""
    versions = sorted({run.protocol_version for _, run in analysis.results.runs} - {PROTOCOL_VERSION})
    if not versions:
        return None
    named = " and ".join(map(str, versions))
    return f"Old: measured by version {named} of the protocol (today's is {PROTOCOL_VERSION})."


def parts(analysis: Analysis) -> list[PartOfTime]:
    """Where the time of all runs went that recorded their steps."""
    steps = analysis.table(StepRow, TOTAL)
    found = [PartOfTime(part, [(row, STEPS.get(row.step, "")) for row in steps if row.part == part]) for part in PARTS]
    return [part for part in found if part.steps]


def differing(analysis: Analysis) -> str:
    """What two runs of this machine differ by, for each kind of ratio that there is."""
    timed = [case for case in accelerating(analysis.cases) if case.samples("compute")]
    kinds = {case.pool("compute") for case in timed if case.baseline}
    if sum(case.on_accelerator for case in timed) > 1:
        kinds.add(DEVICE)
    return spread.told(timed[0].scatter.runs, kinds) if kinds else ""


def _facts(state):
    """(name, value) of how quiet the machine was when it was described, from its SystemState."""
    total = sum(state.cpu_s.values())
    facts = [
        ("Load average at the start (1, 5, 15 min)", ", ".join(f"{load:.2f}" for load in state.load_average)),
        ("CPU time stolen by the host", f"{state.cpu_s.get('steal', 0) / total:.2%}" if total else None),
        ("Clock governor", state.governor or "not known"),
        ("Clock", f"{state.frequency_mhz:.0f} MHz" if state.frequency_mhz else None),
        ("Free memory", style.amount(state.memory_free_bytes) if state.memory_free_bytes else None),
    ]
    return [(name, value) for name, value in facts if value]


def runs(analysis: Analysis, config):
    """(latest Measuring or None, commands, kernels, configuration) of what was run, newest first.

    Without any run on record the configuration is the one this report was asked for with.
    """
    shown = []
    for group in to_repeat(analysis.results.runs, analysis.machine.name):
        kernels = {kernel: sweep for kernel, sweep in group.sweeps.items() if kernel in analysis.kernels}
        shown.append((group.latest, group.commands, list(kernels), _yaml({**group.common, "kernels": kernels})))
    return shown or [(None, [], [], _yaml(config.model_dump(mode="json")))]


def _yaml(value):
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)


def measured_on(analysis: Analysis) -> str | None:
    """The day of the last run, or None."""
    return max((run.started[:10] for _, run in analysis.results.runs), default=None)


def citation(analysis: Analysis) -> str:
    """An entry for BibTeX."""
    commit = next((run.commit for _, run in analysis.results.runs if run.commit), None)
    return (
        "@software{accelbench,\n"
        "  title = {accelbench: which way of accelerating a Python computation is fastest on this machine},\n"
        f"  version = {{{accelbench.__version__}}},\n"
        + (f"  note = {{commit {commit}}},\n" if commit else "")
        + (f"  year = {{{measured_on(analysis)[:4]}}},\n" if analysis.results.runs else "")
        + "}"
    )
