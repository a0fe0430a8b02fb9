"""Content of machine.html on the method: disturbances, duration of the measurements, and configurations of the runs."""

from statistics import median, mode
from types import SimpleNamespace

import yaml

import accelbench
from accelbench.analysis import Analysis, choices
from accelbench.analysis.cases import reference_shift, uses_more_cores
from accelbench.analysis.priors import DEVICE, DEVICE_10_US
from accelbench.analysis.tables.measuring import total
from accelbench.analysis.tables.steps import PARTS, part_of, steps
from accelbench.config.repeat import to_repeat
from accelbench.figures import style
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.pages import spread

STEPS = {
    "sample": "samples, and the requests for them",
    "inputs": "inputs and references",
    "compare": "comparison of results with references",
    "changed": "calls with changed inputs, including the samples of long calls",
    "checking": "checks after a problem's samples, of several cases at once",
    "recheck": "calls with other inputs",
    "refill": "other inputs sent to workers",
    "side by side": "start of workers, loading of arrays and first results, of several cases at once",
    "open": "start of single workers, including imports of libraries",
    "load": "inputs sent to workers",
    "prepare": "compilation at run time",
    "warm_up": "choice of the number of calls of a sample",
    "energy": "energy of a call",
    "reference": "samples of reference cases and peaks",
    "start references": "start of the workers of reference cases",
    "environment": "record of the workers' environment",
    "release": "release of arrays",
    "between steps": "planning, ends of workers, journals",
}


def conditions(analysis: Analysis) -> SimpleNamespace:
    """Return the duration of the measurements, and disturbances of the machine.

    wall_s        seconds of all measurements
    in_samples_s  seconds within samples
    measured      number of measured cases
    parts         seconds of the measurements by part: `sampling`, `checking` and `rest`
    runs          sentence on the difference between two runs of this machine; empty if it is not known
    ok            number of cases with the outcome ok, without kernels that measure peaks (the machine's highest rates)
    noisy         number of cases with the outcome ok that are noisy
    more_cores    cases that kept more cores busy than they have threads
    shift         median relative shift of the reference cases that were measured beside noisy cases; None if unknown
    repetitions   most frequent number of repetitions of a case; baselines may have more
    facts         (name, value) of the machine's load and clocks when the machine was described
    instances     instances of the machine, as text; empty if the results are too old to name them
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
    """Return the measured instances of the machine, as text, in the order of their first runs."""
    runs = sorted((run for _, run in analysis.results.runs if run.instance), key=lambda run: run.begin)
    return list({run.instance: str(run.hardware or run.instance) for run in runs}.values())


def old(analysis: Analysis) -> str | None:
    """Return a sentence on old versions of the protocol in the results; None if all have the current version."""
    versions = sorted({run.protocol_version for _, run in analysis.results.runs} - {PROTOCOL_VERSION})
    if not versions:
        return None
    return f"Old: measured by version {' and '.join(map(str, versions))} of the protocol (current: {PROTOCOL_VERSION})."


def parts(analysis: Analysis) -> list[SimpleNamespace]:
    """Return `name`, `steps`, `seconds` and `share` of each part of the measurements, over runs that recorded steps.

    `steps` is a list of (name, seconds, share, description) for the steps of the part.
    """
    every, summaries = steps([run for _, run in analysis.results.runs]), []
    for name in PARTS:
        part_steps = [(*step, STEPS.get(step[0], "")) for step in every if part_of(step[0]) == name]
        seconds, share = (sum(step[column] or 0.0 for step in part_steps) for column in (1, 2))
        summaries += [SimpleNamespace(name=name, steps=part_steps, seconds=seconds, share=share)] if part_steps else []
    return summaries


def differing(analysis: Analysis) -> str:
    """Return a sentence on the difference of ratios between two runs of this machine, by kind of ratio."""
    timed = [case for case in choices.accelerating(analysis.cases) if case.samples("compute")]
    kinds = {case.pool("compute") for case in timed if case.baseline}
    if sum(case.on_accelerator for case in timed) > 1:
        kinds |= {DEVICE, DEVICE_10_US}
    return spread.sentence(timed[0].scatter.runs, kinds) if kinds else ""


def _facts(state):
    """Return (name, value) of the machine's load and clocks from a SystemState."""
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
    """Return [(latest run, kernels, configuration)] for groups of runs with the same commit and configuration.

    The newest group comes first. If no run is recorded, return one item with None, no kernels, and `config`.
    """
    shown = []
    for group in to_repeat(analysis.results.runs, analysis.machine.name):
        kernels = {kernel: sweep for kernel, sweep in group.sweeps.items() if kernel in analysis.kernels}
        shown.append((group.latest, list(kernels), _yaml({**group.common, "kernels": kernels})))
    return shown or [(None, [], _yaml(config.model_dump(mode="json")))]


def _yaml(value):
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100)


def measured_on(analysis: Analysis) -> str | None:
    """Return the day of the last run as text; None if no run is recorded."""
    return max((run.started[:10] for _, run in analysis.results.runs), default=None)


def citation(analysis: Analysis) -> str:
    """Return a BibTeX entry that cites accelbench."""
    commit = next((run.commit for _, run in analysis.results.runs if run.commit), None)
    return (
        "@software{accelbench,\n"
        "  title = {accelbench: which way of accelerating a Python computation is fastest on this machine},\n"
        f"  version = {{{accelbench.__version__}}},\n"
        + (f"  note = {{commit {commit}}},\n" if commit else "")
        + (f"  year = {{{measured_on(analysis)[:4]}}},\n" if analysis.results.runs else "")
        + "}"
    )
