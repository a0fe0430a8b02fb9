"""What the page says of how it was measured: how quiet the machine was, what it cost, and how to run it again."""

from statistics import median, mode
from types import SimpleNamespace

import yaml

import accelbench
from accelbench.analysis import Analysis, choices
from accelbench.analysis.cases import reference_shift, uses_more_cores
from accelbench.analysis.priors import DEVICE
from accelbench.analysis.tables.measuring import total
from accelbench.analysis.tables.steps import PARTS, part_of, steps
from accelbench.config.repeat import to_repeat
from accelbench.figures import style
from accelbench.model.names import PROTOCOL_VERSION
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


def conditions(analysis: Analysis) -> SimpleNamespace:
    """Return how much of the time was spent measuring, and how quiet it was.

    wall_s, in_samples_s, measured  seconds of measuring, of these within samples, and the number of cases
    parts       the time of measuring by its parts, those of `sampling`, `checking` and the `rest` that there are
    runs        what two runs of this machine differ by, in words; empty where nothing was compared
    noisy       how many of `ok` cases, none of a peak, were
    more_cores  those that kept more cores busy than they have threads
    shift       median of how far reference cases moved beside them
    repetitions  that most times come from; a baseline is in those of each group of cases
    facts       (name, value) of the machine when it was described
    instances   those of the machine that the repetitions come from, in words; older results name none
    """
    _, measured, wall_s, in_samples_s = total(analysis)
    cases = [case for case in choices.accelerating(analysis.cases) if case.ok]
    noisy = [case for case in cases if case.record.noisy]
    beside = {(*case.problem, case.record.device): reference_shift(case) for case in noisy}
    shifts = [shift for shift in beside.values() if shift is not None]
    return SimpleNamespace(
        wall_s=wall_s,
        in_samples_s=in_samples_s,
        measured=measured,
        parts=parts(analysis),
        runs=differing(analysis),
        noisy=len(noisy),
        ok=len(cases),
        more_cores=[case for case in cases if uses_more_cores(case.record)],
        shift=median(shifts) if shifts else None,
        repetitions=mode(len(case.samples("compute")) for case in cases) if cases else None,
        facts=_facts(analysis.machine.system_state),
        instances=instances(analysis),
    )


def instances(analysis: Analysis) -> list[str]:
    """Return the instances of the machine that anything was measured on, in words, in the order of their first runs."""
    runs = sorted((run for _, run in analysis.results.runs if run.instance), key=lambda run: run.begin)
    return list({run.instance: str(run.hardware or run.instance) for run in runs}.values())


def old(analysis: Analysis) -> str | None:
    """Return a sentence that names older versions of the protocol than today's; None where there are none."""
    versions = sorted({run.protocol_version for _, run in analysis.results.runs} - {PROTOCOL_VERSION})
    if not versions:
        return None
    return (
        f"Old: measured by version {' and '.join(map(str, versions))} of the protocol (today's is {PROTOCOL_VERSION})."
    )


def parts(analysis: Analysis) -> list[SimpleNamespace]:
    """Return where the time of all runs went that recorded their steps: seconds and share of each part, with (name,
    seconds, share, what it is) of its steps."""
    every, found = steps([run for _, run in analysis.results.runs]), []
    for name in PARTS:
        own = [(*step, STEPS.get(step[0], "")) for step in every if part_of(step[0]) == name]
        seconds, share = (sum(step[column] or 0.0 for step in own) for column in (1, 2))
        found += [SimpleNamespace(name=name, steps=own, seconds=seconds, share=share)] if own else []
    return found


def differing(analysis: Analysis) -> str:
    """Return what two runs of this machine differ by, for each kind of ratio that there is."""
    timed = [case for case in choices.accelerating(analysis.cases) if case.samples("compute")]
    kinds = {case.pool("compute") for case in timed if case.baseline}
    if sum(case.on_accelerator for case in timed) > 1:
        kinds.add(DEVICE)
    return spread.sentence(timed[0].scatter.runs, kinds) if kinds else ""


def _facts(state):
    """Return (name, value) of how quiet the machine was when it was described, from its SystemState."""
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
    """Return (latest Measuring or None, kernels, configuration) of what was run, newest first.

    Without any run on record the configuration is the one this report was asked for with.
    """
    shown = []
    for group in to_repeat(analysis.results.runs, analysis.machine.name):
        kernels = {kernel: sweep for kernel, sweep in group.sweeps.items() if kernel in analysis.kernels}
        shown.append((group.latest, list(kernels), _yaml({**group.common, "kernels": kernels})))
    return shown or [(None, [], _yaml(config.model_dump(mode="json")))]


def _yaml(value):
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)


def measured_on(analysis: Analysis) -> str | None:
    """Return the day of the last run, or None."""
    return max((run.started[:10] for _, run in analysis.results.runs), default=None)


def citation(analysis: Analysis) -> str:
    """Return an entry for BibTeX."""
    commit = next((run.commit for _, run in analysis.results.runs if run.commit), None)
    return (
        "@software{accelbench,\n"
        "  title = {accelbench: which way of accelerating a Python computation is fastest on this machine},\n"
        f"  version = {{{accelbench.__version__}}},\n"
        + (f"  note = {{commit {commit}}},\n" if commit else "")
        + (f"  year = {{{measured_on(analysis)[:4]}}},\n" if analysis.results.runs else "")
        + "}"
    )
