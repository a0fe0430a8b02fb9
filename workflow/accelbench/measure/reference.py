"""Fixed cases sampled in the rounds, whose only purpose is to notice when the machine changes."""

import logging
from contextlib import contextmanager

from accelbench import project
from accelbench.config.select import EffectiveConfig
from accelbench.kernels import catalog
from accelbench.measure import plan
from accelbench.measure.bench import Bench
from accelbench.measure.client import Failed

SIZE = 100_000


class Reference:
    """A case that its CaseRunner has made ready and warm."""

    def __init__(self, case, runner, loops):
        self.case, self._runner, self._loops = case, runner, loops

    @property
    def alive(self):
        return self._runner.alive

    def sample(self, samples):
        """Append one sample to samples[name of the case]; a reference that failed stays silent."""
        try:
            seconds = self._runner.sample(self.case, self._loops)["compute"]
        except Failed:
            self._runner.close()
        else:
            samples.setdefault(self.case.id, []).append(seconds)


@contextmanager
def references(bench, wanted):
    """The References of a Bench, none unless `wanted`; their workers are gone afterwards."""
    runners = []
    try:
        with bench.steps.step("start references"):
            found = _start(bench, runners) if wanted else []
        yield found
    finally:
        for runner in runners:
            runner.close()


def _start(bench, runners):
    """The limits' read bandwidth at a size in cache, on one and on all threads; their CaseRunners are appended."""
    folder = catalog.load(project.PEAKS / "peak_read")
    watch = Bench(EffectiveConfig(bench.config.config, folder), bench.machine, bench.name, results=bench.results)
    problem = plan.Problem(folder.name, {}, SIZE, "float64")
    chosen = [(folder.implementations[folder.spec.baseline], 1)]
    parallel = [i for i in folder.implementations.values() if i.backend == "cffi" and i.threads]
    chosen += [(implementation, bench.machine.cpu.available) for implementation in parallel[:1]]
    sample_s = bench.config.protocol.sample_s / 2
    settings = {"warm_up_s": 0.05, "calls_made": 0, "sample_s": {"compute": sample_s, "call": sample_s}}
    given, found = watch.given(problem), []
    for implementation, threads in chosen:
        if watch.build_failure(implementation, "cpu"):
            continue
        case = plan.PlannedCase(problem, implementation.name, implementation.backend, "cpu", threads, {})
        try:
            runner = watch.start(case)
            runners.append(runner)
            runner.load(problem, given)
            runner.prepare(case)
            _, loops = runner.warm_up(case, settings)["compute"]
            found.append(Reference(case, runner, {"compute": loops}))
        except Failed as failed:
            logging.getLogger("accelbench").warning(f"reference {case.id}: {failed}")
    given.close()
    watch.verifier.close()
    return found
