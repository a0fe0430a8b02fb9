"""The calls of a worker that run cases, in their order, with checks of the results."""

import secrets
from typing import Any

from accelbench.measure import environment
from accelbench.measure.client import Client
from accelbench.model.device import LaunchFacts
from accelbench.model.parameters import plain
from accelbench.rpc.messages import Rows, SampleFacts
from accelbench.rpc.process import Failed

DEADLINE_FACTOR = 4
ONE_CALL = Rows()


class CaseRunner:
    """A worker: one implementation on a device with a number of threads, open and ready for cases.

    opened      messages.Opened
    variables   variables set in its environment
    alive       whether it still runs; a worker that died, hung or ran out of memory does not
    loaded      {problem: key of its inputs} in the worker; prepared: {case: problem}; warm: cases

    client      its Client
    recipe      arguments of the worker's `open`
    verifier    the Verifier that made inputs and compares results
    timeout_s   deadline of a call, beside DEADLINE_FACTOR times its predicted time
    step        step(name): a context in which the seconds of a step are counted

    Methods raise Failed, also if a result is wrong.
    """

    def __init__(self, client: Client, recipe: dict[str, Any], verifier, *, timeout_s: float, step):
        self._client, self._verifier, self._timeout_s, self._step = client, verifier, timeout_s, step
        self.variables, self.alive = client.variables, True
        self.loaded, self.prepared, self.warm = {}, {}, set()
        try:
            self.opened = self._ask("open", **recipe)
        except BaseException:
            self.close()
            raise

    def last_words(self):
        """Return the end of what the worker printed."""
        return self._client.last_words()

    def close(self):
        """End the worker and whatever it started."""
        self.alive = False
        self._client.end()

    def environment(self):
        """Return the environment of a record: variables that were set, thread pools, settings of the library."""
        return {"variables": environment.recorded(self.variables), **self._ask("environment")}

    def load(self, problem, given, predicted_s=0.0):
        """Load the arrays of a problem, unless they are there, with whatever inputs."""
        if problem.id not in self.loaded:
            self._ask("load", predicted_s, problem=problem.id, inputs=given.inputs)
            self.loaded[problem.id] = given.key

    def refill(self, problem, given, predicted_s=0.0):
        """Load the arrays of a problem with the inputs `given`, unless they are there."""
        self.load(problem, given, predicted_s)
        if self.loaded[problem.id] != given.key:
            self._ask("refill", predicted_s, problem=problem.id, inputs=given.inputs)
            self.loaded[problem.id] = given.key

    def prepare(self, case, predicted_s=0.0) -> float:
        """Make `run` ready with the parameters of a case. Return the seconds that took."""
        names = {"problem": case.problem.id, "handle": case.id, "size": case.size, "dtype": case.dtype}
        parameters = {"parameters": plain(case.parameters), "tuned": case.tuned and plain(case.tuned)}
        build_s = self._ask("prepare", predicted_s, **names, options=case.options, **parameters)
        self.prepared[case.id] = case.problem.id
        return build_s

    def first_call(self, case, given, predicted_s=0.0):
        """Return (messages.CallResult, its ErrorMetrics)."""
        return self._compared("first_call", given, predicted_s, handle=case.id)

    def recheck(self, case, given, predicted_s=0.0):
        """Do as first_call, with the inputs `given` in place, which the call may not change."""
        self.refill(case.problem, given, predicted_s)
        return self._compared("recheck", given, predicted_s, handle=case.id)

    def changed(self, case, given, change, *, rows=ONE_CALL, predicted_s=0.0):
        """Return (messages.ChangedCallResult, its ErrorMetrics) of a messages.InputChange, or of the inputs as they are
        if no change is possible.

        With a change, outputs keep old results in a random half of the calls, so that an implementation that skips all
        its work is caught. In the other half they are poisoned, which catches one that skips a part. With pairs they
        always keep old results: calls with other inputs and poisoned outputs follow.
        """
        stale = bool(change.changes) and (rows.pairs > 0 or secrets.choice((True, False)))
        arguments = {"handle": case.id, "change": change, "rows": rows, "stale": stale}
        return self._compared("changed", given, predicted_s, is_changed=bool(change.changes), **arguments)

    def warm_up(self, case, settings: dict[str, Any], predicted_s=0.0):
        """Warm up by the settings of Clock.warm_up. Return {kind of time: (seconds per call, loops of a sample)}."""
        answer = self._ask("warm_up", predicted_s, handle=case.id, **settings)
        self.warm.add(case.id)
        return answer

    def sample(self, case, loops, *, primed=(), cold=False, predicted_s=0.0):
        """Return {kind of time: seconds per call} of each kind in `loops`."""
        return self._ask("sample", predicted_s, handle=case.id, loops=loops, primed=list(primed), cold=cold)

    def launch_facts(self, case) -> LaunchFacts | None:
        return self._ask("facts_of", handle=case.id)

    def sample_facts(self, case) -> SampleFacts:
        return self._ask("facts_of_samples", handle=case.id)

    def run_on(self, case, seconds, *, restore, predicted_s=0.0) -> tuple[float, float, int]:
        """Return (begin, end, calls) of calls without pause."""
        return self._ask("run_on", predicted_s, handle=case.id, seconds=seconds, restore=restore)

    def profile(self, case):
        """Return (seconds traced, seconds plain, rows) of a call, as worker.profiler.profile does."""
        return self._ask("profile_call", handle=case.id, kernel=case.kernel)

    def release(self, problem):
        """Free the arrays of a problem and forget its cases."""
        if self.loaded.pop(problem.id, None) is not None:
            self._ask("release", problem=problem.id)
            self.prepared = {case: of for case, of in self.prepared.items() if of != problem.id}
            self.warm &= self.prepared.keys()

    def _compared(self, name, given, predicted_s, *, is_changed=False, **arguments):
        answer = self._ask(name, predicted_s, given.result_bytes, **arguments)
        with self._step("compare"):
            return answer, self._verifier.compare(given, answer, is_changed)

    def _ask(self, name, predicted_s=0.0, buffer_bytes=0, /, **arguments) -> Any:
        timeout_s = self._timeout_s + DEADLINE_FACTOR * predicted_s
        with self._step(name):
            try:
                return self._client.call(name, timeout_s, buffer_bytes, **arguments)
            except Failed as failed:
                if not failed.alive or failed.outcome == "out_of_memory":  # others may need the memory that it holds
                    self.close()
                raise
