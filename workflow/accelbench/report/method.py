"""What the page says of how it was measured: how quiet the machine was, what it cost, and how to run it again."""

import operator
from dataclasses import dataclass
from statistics import median

import yaml

import accelbench
from accelbench.analysis import Analysis
from accelbench.analysis.tables.measuring import TOTAL, MeasuringRow
from accelbench.analysis.tables.timings import TimingRow
from accelbench.config.repeat import to_repeat
from accelbench.figures import style
from accelbench.model.names import PROTOCOL_VERSION

CHECKING_STEPS = ("inputs", "compare", "changed", "checking", "recheck", "refill")  # of a run's `steps_s`


@dataclass(frozen=True)
class Conditions:
    """How much of the time was spent measuring, and how quiet it was.

    checking    the share of wall time that went into it
    noisy       how many of `ok` cases were
    more_cores  those that kept more cores busy than they have threads
    shift       median of how far reference cases moved beside them
    processes   the most that a time comes from
    facts       (name, value) of the machine when it was described
    instances   those of the machine that the repetitions come from, in words; older results name none
    """

    total: MeasuringRow
    checking: float | None
    noisy: int
    ok: int
    more_cores: list[TimingRow]
    shift: float | None
    processes: int | None
    facts: list[tuple[str, str]]
    instances: list[str]


def conditions(analysis: Analysis) -> Conditions:
    """The Conditions that the results were measured under."""
    (total,) = analysis.table(MeasuringRow, TOTAL)
    rows = analysis.table(TimingRow, outcome="ok")
    shifts = [row.reference_shift for row in rows if row.reference_shift is not None]
    return Conditions(
        total=total,
        checking=checking_share([run for metadata in analysis.kernels.values() for run in metadata.runs]),
        noisy=sum(bool(row.noisy) for row in rows),
        ok=len(rows),
        more_cores=[row for row in rows if row.more_cores],
        shift=median(shifts) if shifts else None,
        processes=max((row.repetitions for row in rows), default=0) or None,
        facts=_facts(analysis.machine.system_state),
        instances=instances(analysis),
    )


def instances(analysis: Analysis) -> list[str]:
    """The instances of the machine that anything was measured on, in words, in the order of their first runs."""
    runs = sorted((run for _, run in analysis.results.runs if run.instance), key=lambda run: run.begin)
    return list({run.instance: str(run.hardware or run.instance) for run in runs}.values())


def old(analysis: Analysis) -> str | None:
    """That results were measured by older versions of the protocol than today's, and what that means; None where they
    were not."""
    versions = sorted({run.protocol_version for _, run in analysis.results.runs} - {PROTOCOL_VERSION})
    if not versions:
        return None
    told = (
        f"Old: measured by version {' and '.join(map(str, versions))} of the protocol (today's is {PROTOCOL_VERSION})"
    )
    if all(map(operator.is_, analysis.results.records, analysis.results.retold)):
        return f"{told}."
    return (
        f"{told}, which did not take what devices need apart from launching it: where their time is said to be the "
        "kernel's, it is that of calls in a loop."
    )


def checking_share(runs) -> float | None:
    """The share of wall time that went into checking: inputs, references, changes of inputs, comparisons. None where no
    run recorded its steps."""
    recorded = [run for run in runs if run.steps_s]
    wall_s = sum(run.wall_s for run in recorded)
    spent = sum(run.steps_s.get(step, 0.0) for run in recorded for step in CHECKING_STEPS)
    return spent / wall_s if wall_s else None


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
