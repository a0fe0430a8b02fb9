"""Correctness only: implementations against their kernel's reference, at the sizes where mistakes live."""

import ast
import dataclasses
import itertools
import logging
from pathlib import Path

from accelbench import build, files, machine
from accelbench.backends import toolchain as toolchain_of_backend
from accelbench.measure import inputs, plan
from accelbench.measure.coordinator import Run, build_failure
from accelbench.measure.prediction import Predictor
from accelbench.measure.progress import Progress
from accelbench.measure.workers import Failed

SIZES = (0, 1, 2, 31, 97)  # none, few, odd, prime, no multiple of any block; the kernel's own check_sizes beside them
FOLDER = Path("results", ".check")
DEADLINE_S = 60.0
REASONS, COMPILERS_LINES = 3, 30  # so many are told of an implementation: the first mistake explains most others
LONGEST_CALL_S = 20.0  # a size whose call is predicted to take longer is left out, and said so


def check(folder, implementations, config, tell=print):
    """Check `implementations` (names) of a KernelFolder in every dtype and option default; whether all are right.

    `tell(line)` gets one line an implementation and device, and a few of its mistakes. What has to be built is built
    under results/.check, once. An implementation that is unsupported at every size is not right: nothing shows it is.
    """
    run = ready(folder, config, toolchains=build.toolchains(folder, implementations))
    verdicts = []
    for name in implementations:
        state = run.machine["backends"][folder.implementations[name].backend]
        if not state["available"]:
            tell(f"{name}: unavailable: {state['reason']}")
            missing = _to_be_written(folder.implementations[name])
            for what in missing:
                tell(f"{name}: not filled in yet: {what}")
            verdicts.append(_compiles_without_device(run, folder.implementations[name], tell) and not missing)
        verdicts += [_check_one(run, name, device, tell) for device in state["devices"]]
    return all(verdicts)


def _to_be_written(implementation):
    """What an implementation says is to be done that raises NotImplementedError whatever it is called with."""
    if implementation.path.suffix != ".py":
        return []
    functions = [f for f in ast.walk(ast.parse(implementation.path.read_bytes())) if isinstance(f, ast.FunctionDef)]
    raised = [step.exc for function in functions for step in function.body if isinstance(step, ast.Raise)]
    return [
        " ".join(str(word.value) for word in exc.args if isinstance(word, ast.Constant))
        for exc in raised
        if isinstance(exc, ast.Call) and getattr(exc.func, "id", None) == "NotImplementedError"
    ]


def ready(folder, config, home=FOLDER, verbose=False, toolchains=None):
    """A Run of a kernel on this machine with everything built, for looking at cases one by one."""
    described = machine.describe("check", config)
    for name in build.toolchains(folder) if toolchains is None else toolchains:
        backends = [b for b in described["backends"] if toolchain_of_backend(b) == name]
        devices = [device for backend in backends for device in described["backends"][backend]["devices"]]
        manifest = build.build(folder, name, config.build, devices, home / "build" / folder.name)
        files.write_json(home / "build" / folder.name / f"{name}.json", manifest)
    log = logging.getLogger("accelbench")
    return Run(config, folder, described, "check", home, Progress(folder.name), log, verbose)


def _compiles_without_device(run, implementation, tell):
    """False where a compiler that needs no device refuses the sources of an implementation that cannot run here."""
    if implementation.toolchain != "cuda":
        return True
    compiles = _is_built(run, implementation, None, implementation.name, tell)
    if compiles:
        tell(f"{implementation.name}: it compiles; whether it is right cannot be seen here")
    return compiles


def _is_built(run, implementation, device, place, tell):
    """Whether what an implementation needs was built; tells what the compilers said where it was not."""
    reason = build_failure(run, implementation, device)
    if reason is None:
        return True
    tell(f"{place}: build_failed: {reason}")
    for entry in run.manifests[implementation.toolchain].artifacts:
        if entry["implementation"] == implementation.name and entry["device"] in (None, device):
            for line in entry["log"].splitlines()[:COMPILERS_LINES]:
                tell(f"    {line}")
    return False


def _check_one(run, name, device, tell):
    """Whether an implementation is right on a device; one worker, every size and dtype, two seeds each."""
    implementation = run.folder.implementations[name]
    place = f"{name} on {device['name']}"
    if not _is_built(run, implementation, device["name"], place, tell):
        return False
    spec = run.folder.spec
    sizes = sorted({*SIZES, *spec.check_sizes})
    options = dict(spec.options)
    template = _first_case(run, name, device["name"])
    if template is None:
        tell(f"{place}: no case of it is in the configuration")
        return True
    worker = run.start(template)
    mistakes, checked, unsupported, reasons = 0, 0, 0, set()
    predictor = Predictor()
    try:
        worker.ask("open", run.recipe(template), timeout=DEADLINE_S)
        for dtype, size in itertools.product(spec.dtypes, sizes):
            problem = plan.Problem(run.folder.name, options, size, dtype)
            case = dataclasses.replace(template, problem=problem)
            predicted = predictor.predict(dtype, run.amount(problem)) or 0.0
            if predicted > LONGEST_CALL_S:
                tell(f"{place}: {dtype}, size {size}: not checked: a call would take about {predicted:.0f} s")
                continue
            try:
                answers = judge(worker, run, case)
                predictor.saw(dtype, run.amount(problem), min(a["first_call_s"] for a in answers))
                checked += 1
            except Failed as failed:
                if failed.reason not in reasons and len(reasons) < REASONS:
                    tell(f"{place}: {dtype}, size {size}: {failed.outcome}: {failed.reason}")
                reasons.add(failed.reason)
                if failed.outcome == "unsupported":
                    unsupported += 1
                else:
                    mistakes += 1
                if failed.outcome == "timeout":
                    tell(f"{place}: the rest is not tried: each may take as long")
                    break
                if not failed.alive:
                    worker = run.start(template)
                    worker.ask("open", run.recipe(template), timeout=DEADLINE_S)
    except Failed as failed:
        mistakes += 1
        tell(f"{place}: {failed.outcome}: {failed.reason}")
    finally:
        worker.kill()
    if mistakes:
        tell(f"{place}: {mistakes} {'problem' if mistakes == 1 else 'problems'} wrong, {checked} right")
    elif checked:
        tell(f"{place}: right ({checked} problems)")
    else:
        tell(f"{place}: not right yet: all {unsupported} problems are unsupported")
    return checked > 0 and not mistakes


def judge(worker, run, case):
    """Run a case's problem with random and with exact inputs; the answers' errors. Failed where one is wrong."""
    answers = []
    for which in (0, 1):
        shared = inputs.Shared(run.folder, case.problem, run.config.protocol.seed, which, exact=which == 1)
        try:
            if which == 0:
                worker.ask("load", "checked", shared.message, timeout=DEADLINE_S)
                worker.ask("prepare", "checked", "case", run.description(case, case.problem), timeout=DEADLINE_S)
                answers.append(worker.ask("first_call", "checked", "case", timeout=DEADLINE_S))
            else:
                worker.ask("refill", "checked", shared.message, timeout=DEADLINE_S)
                answers.append(worker.ask("recheck", "checked", "case", timeout=DEADLINE_S))
        finally:
            shared.close()
    worker.ask("release", "checked", timeout=DEADLINE_S)
    return answers


def _first_case(run, name, device):
    config = run.config.model_copy(update={"implementations": (name,), "kernels": None, "devices": ("*",)})
    found = plan.cases(config, run.folder, run.machine)
    first = next((c for c in found if c.implementation == name and c.device == device and c.verdict is None), None)
    return first and with_any_parameters(run, first)


def with_any_parameters(run, case):
    """A case that is tuned by a sweep with the first parameters of that: where there was none, any are right."""
    sweep = run.folder.implementations[case.implementation].tuned_by
    if sweep is None:
        return case
    first = _first_case(run, sweep, case.device)
    return dataclasses.replace(case, tuned=first and first.parameters)
