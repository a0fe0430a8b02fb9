"""The command `case`: run one case again with all output, or show the machine code that its compiler generates."""

import contextlib
import json
import os
import platform
import shutil

from accelbench import statistics
from accelbench.config import select
from accelbench.errors import InputError
from accelbench.machine.description import describe
from accelbench.measure import checking, plan
from accelbench.measure.setup import Setup
from accelbench.rpc.process import Failed
from accelbench.toolchains.listing import listing

SAMPLES = 20


class ListingSetup(Setup):
    """A Setup that makes Numba print the assembly and PTX that it generates."""

    @property
    def variables(self):
        return super().variables | {"NUMBA_DUMP_ASSEMBLY": "1"}


def case(case_id, config, *, code=False, tell=print, home=checking.FOLDER):
    """Run the case called `case_id`, and show the output of its worker. Return whether the case's outcome is ok.

    config  an EffectiveConfig of the case's kernel; it need not contain the case
    code    whether to show the generated code instead of running the case. If the backend is Numba, the case is called
            once, so that Numba generates the code

    Nothing is written to the journal. Raise InputError if this machine has no case with this name.
    """
    config, chosen = find(case_id, config)
    implementation = config.kernel.implementations[chosen.implementation]
    tell(f"{case_id}: {implementation.title}")
    tell(f"  file {implementation.path}")
    if chosen.verdict:
        tell(f"  outcome {chosen.verdict.outcome}: {chosen.verdict.reason}")
        return False
    alone = home / "scratch" / f"case-{platform.node()}-{os.getpid()}"  # unique, since checks may run in parallel
    bench = checking.ready(config, [chosen.implementation], home=home, scratch=alone, verbose=True)
    for artifact in bench.artifacts(implementation, chosen.device):
        tell(f"  built {artifact.source}: {artifact.outcome}: {artifact.command}")
        if artifact.log.strip():
            tell("    " + artifact.log.strip().replace("\n", "\n    "))
    if failed := bench.build_failure(implementation, chosen.device):
        tell(f"  outcome {failed.outcome}: {failed.reason}")
        return False
    chosen = checking.with_any_parameters(bench, chosen)
    if chosen.tuned:
        values = " ".join(f"{name}={value}" for name, value in chosen.tuned.items())
        tell(f"  tuned   {values}: the first parameters of {implementation.tuned_by}, as this command runs no sweep")
    try:
        with contextlib.closing(bench.verifier):
            (_show_code if code else _run)(bench, chosen, tell)
    except Failed as failed:
        tell(f"  outcome {failed.outcome}: {failed.reason}")
        return False
    finally:
        shutil.rmtree(alone, ignore_errors=True)
    tell("  outcome ok")
    return True


def find(case_id, config):
    """Return (EffectiveConfig, PlannedCase) of the case `case_id`. Raise InputError if there is no such case here."""
    config = select.with_case(config, case_id)
    served = {implementation.backend for implementation in config.implementations.values()}
    planned = {c.id: c for c in plan.cases(config, describe("check", config.config, served))}
    if case_id not in planned:
        kind = "/".join(case_id.split("/")[:3])
        similar = [case for case in planned.values() if case.id.startswith(kind)]
        missing = [c.verdict.reason for c in similar if c.verdict and c.verdict.outcome == "unavailable"]
        like = f"Similar cases: {', '.join(case.id for case in similar[:4])}"
        remedy = missing[0] if missing else like if similar else "See results/*/tables/timings.csv for names"
        raise InputError(case_id, "no case on this machine has this name", remedy)
    return config, planned[case_id]


def _show_code(bench, case, tell):
    artifacts = bench.artifacts(bench.folder.implementations[case.implementation], case.device)
    texts = [listing(bench.results / "build" / bench.folder.name / artifact.path) for artifact in artifacts]
    for text in filter(None, texts):
        tell(text)
    if case.backend.startswith("numba"):
        bench.setup = ListingSetup(bench.setup.input_seed)
        with contextlib.closing(bench.given(case.problem)) as given, contextlib.closing(bench.start(case)) as runner:
            runner.begin(case, given)
    elif not any(texts):
        tell("  code    none to show: the build made neither a shared library nor PTX")


def _run(bench, case, tell):
    given, other = (bench.given(case.problem, which) for which in (0, 1))
    with contextlib.closing(given), contextlib.closing(other), contextlib.closing(bench.start(case)) as runner:
        environment = runner.environment()
        tell("  environment " + " ".join(f"{k}={v}" for k, v in runner.variables.items()))
        tell("  open    " + _shown(vars(runner.opened)))
        tell("  threads " + json.dumps({k: v for k, v in environment.items() if k != "variables"}))
        build_s, called, errors = runner.begin(case, given)
        tell(f"  prepare build_s {build_s:.4g}")
        tell("  first   " + _shown(vars(called) | vars(errors)))
        settings = bench.warm_up_settings(case)
        loops = {kind: count for kind, (_, count) in runner.warm_up(case, settings).items()}
        cold = bench.config.protocol.cache == "cold"
        taken = [runner.sample(case, loops, cold=cold) for _ in range(SAMPLES)]
        for kind, count in loops.items():
            samples = [sample[kind] for sample in taken]
            low, high = statistics.rank_interval(samples)
            middle = statistics.median(samples)
            tell(f"  {kind:12} {middle:.6g} s ({low:.6g} to {high:.6g}), {SAMPLES} samples of {count} calls")
        called, errors = runner.recheck(case, other)
        tell("  again   " + _shown(vars(called) | vars(errors)))


def _shown(values):
    """Return a text with names and values of the numbers in `values`, {name: value}."""
    numbers = {name: value for name, value in values.items() if type(value) in (int, float)}
    return ", ".join(f"{name} {value:.4g}" for name, value in numbers.items())
