"""One case again, telling everything about it: what the command printed beside every failure runs."""

import json
import shutil

from accelbench import statistics
from accelbench.errors import InputError
from accelbench.machine.description import describe
from accelbench.measure import checking, plan
from accelbench.measure.coordinator import build_failure
from accelbench.measure.workers import Failed

SAMPLES = 20


def case(case_id, config, *, tell=print, home=checking.FOLDER):
    """Run the case called `case_id` of an EffectiveConfig in a worker of its own whose output is shown; whether its
    outcome is ok.

    Nothing is written to the journal. InputError where no case of the configuration has this name.
    """
    described = describe("check", config)
    planned = {c.id: c for c in plan.cases(config, described)}
    if case_id not in planned:
        kind = "/".join(case_id.split("/")[:3])
        similar = [name for name in planned if name.startswith(kind)]
        remedy = f"Cases like it: {', '.join(similar[:4])}" if similar else "See results/*/tables/timings.csv for names"
        remedy += ". Another configuration's: add --configfile FILE"
        raise InputError(case_id, "no case of this configuration has this name", remedy)
    chosen = planned[case_id]
    implementation = config.kernel.implementations[chosen.implementation]
    tell(f"{case_id}: {implementation.title}")
    tell(f"  file {implementation.path}")
    if chosen.verdict:
        tell(f"  outcome {chosen.verdict[0]}: {chosen.verdict[1]}")
        return False
    run = checking.ready(config, [chosen.implementation], home, verbose=True)
    manifest = run.manifests.get(implementation.toolchain)
    for artifact in manifest.artifacts if manifest else []:
        if artifact.serves(implementation.name, chosen.device):
            tell(f"  built {artifact.source}: {artifact.outcome}: {artifact.command}")
            if artifact.log.strip():
                tell("    " + artifact.log.strip().replace("\n", "\n    "))
    reason = build_failure(run, implementation, chosen.device)
    if reason:
        tell(f"  outcome build_failed: {reason}")
        return False
    chosen = checking.with_any_parameters(run, chosen)
    if chosen.tuned:
        values = " ".join(f"{name}={value}" for name, value in chosen.tuned.items())
        tell(f"  tuned   {values}: the first of {implementation.tuned_by}, for here is no sweep of it")
    try:
        _run(run, chosen, tell)
    except Failed as failed:
        tell(f"  outcome {failed.outcome}: {failed.reason}")
        return False
    finally:
        shutil.rmtree(run.results / "scratch", ignore_errors=True)
    tell("  outcome ok")
    return True


def _run(run, case, tell):
    worker = run.start(case)
    deadline, asked = run.config.protocol.timeout_s, run.verifier.asked
    seed = run.config.protocol.seed
    shared = [run.verifier.given(run.folder, case.problem, seed, which) for which in (0, 1)]
    try:
        tell("  environment " + " ".join(f"{k}={v}" for k, v in worker.variables.items()))
        tell("  open    " + _shown(worker.ask("open", run.recipe(case), timeout=deadline)))
        tell("  threads " + json.dumps(worker.ask("environment", timeout=deadline)))
        worker.ask("load", "problem", shared[0].message, timeout=deadline)
        description = run.description(case, case.problem)
        tell("  prepare " + _shown(worker.ask("prepare", "problem", "case", description, timeout=deadline)))
        tell("  first   " + _shown(asked(worker, shared[0], "first_call", "problem", "case", timeout=deadline)))
        live = run.live(case)
        found = worker.ask("warm_up", "case", run.warm_up_settings(live), timeout=deadline)
        loops = {kind: count for kind, (_, count) in found.items()}
        cold = run.config.protocol.cache == "cold"
        taken = [worker.ask("sample", "case", loops, [], cold, timeout=deadline) for _ in range(SAMPLES)]
        for kind, count in loops.items():
            samples = [sample[kind] for sample in taken]
            low, high = statistics.rank_interval(samples)
            middle = statistics.median(samples)
            tell(f"  {kind:12} {middle:.6g} s ({low:.6g} to {high:.6g}), {SAMPLES} samples of {count} calls")
        worker.ask("refill", "problem", shared[1].message, timeout=deadline)
        tell("  again   " + _shown(asked(worker, shared[1], "recheck", "problem", "case", timeout=deadline)))
    finally:
        worker.kill()
        for each in shared:
            each.close()
        run.verifier.close()


def _shown(values):
    """The numbers among what a worker answered."""
    return ", ".join(f"{name} {value:.4g}" for name, value in values.items() if isinstance(value, (int, float)))
