"""Calls from the coordinator to a worker process that runs cases, and checks of the results."""

import secrets
from typing import Any

from accelbench.measure import environment
from accelbench.measure.client import Client
from accelbench.model.parameters import plain
from accelbench.rpc.messages import Rows
from accelbench.rpc.process import Failed

DEADLINE_FACTOR = 4
ONE_CALL = Rows()


class CaseRunner(Client):
    """A worker process that has opened one implementation on one device with a number of threads, and can run cases.

    opened      the worker's answer to `open`, a messages.Opened
    alive       whether the worker runs; False after the worker died, timed out, ran out of memory or was closed
    loaded      {id of a problem: key of the inputs that the worker has loaded}
    prepared    {id of a prepared case: id of its problem}
    warm        ids of cases that are warmed up

    recipe      arguments of Worker.open
    verifier    the Verifier, which makes inputs and compares results
    timeout_s   deadline of a call without a predicted time, in seconds. If a time is predicted, the deadline is later
                by DEADLINE_FACTOR times this time
    worker, settings  arguments of Client
    step        function step(name) that returns a context manager, to time the step of this name

    Methods raise Failed if a call to the worker fails, or if a result is wrong.
    """

    def __init__(self, *worker, recipe: dict[str, Any], verifier, timeout_s: float, step, **settings):
        super().__init__(*worker, **settings)
        self._verifier, self._timeout_s, self._step, self.alive = verifier, timeout_s, step, True
        self.loaded, self.prepared, self.warm = {}, {}, set()
        try:
            self.opened = self._ask("open", **recipe)
        except BaseException:
            self.close()
            raise

    def close(self):
        """End the worker and all processes that it started."""
        self.alive = False
        self.end()

    def environment(self):
        """Return the worker's environment for a record: variables, thread pools and settings of libraries."""
        return {"variables": environment.recorded(self.variables), **self._ask("environment")}

    def load(self, problem, given, predicted_s=0.0):
        """Have the worker load a problem's arrays with the inputs `given`, unless this problem is loaded."""
        if problem.id not in self.loaded:
            self._ask("load", predicted_s, problem=problem.id, inputs=given.inputs)
            self.loaded[problem.id] = given.key

    def refill(self, problem, given, predicted_s=0.0):
        """Have the worker load a problem with the inputs `given`. If the problem is loaded, replace its inputs."""
        self.load(problem, given, predicted_s)
        if self.loaded[problem.id] != given.key:
            self._ask("refill", predicted_s, problem=problem.id, inputs=given.inputs)
            self.loaded[problem.id] = given.key

    def prepare(self, case, predicted_s=0.0) -> float:
        """Have the worker prepare a case, so that it can be called. Return the preparation's time in seconds."""
        names = {"problem": case.problem.id, "handle": case.id, "size": case.size, "dtype": case.dtype}
        parameters = {"parameters": plain(case.parameters), "tuned": case.tuned and plain(case.tuned)}
        build_s = self._ask("prepare", predicted_s, **names, options=case.options, **parameters)
        self.prepared[case.id] = case.problem.id
        return build_s

    def begin(self, case, given):
        """Load the arrays of a case's problem, prepare the case, call it once and check the result.

        Return (time of the preparation in seconds, messages.CallResult, ErrorMetrics of the result).
        """
        self.load(case.problem, given)
        return self.prepare(case), *self.first_call(case, given)

    def first_call(self, case, given, predicted_s=0.0):
        """Call a case and check the result. Return (messages.CallResult, ErrorMetrics of the result)."""
        return self._compared("first_call", given, predicted_s, handle=case.id)

    def recheck(self, case, given, predicted_s=0.0):
        """Call a case with the inputs `given`. Check the result, and that the call leaves these inputs unchanged.

        Return (messages.CallResult, ErrorMetrics of the result).
        """
        self.refill(case.problem, given, predicted_s)
        return self._compared("recheck", given, predicted_s, handle=case.id)

    def changed(self, case, given, change, *, rows=ONE_CALL, predicted_s=0.0):
        """Change a case's inputs, call the case and check the result.

        Return (messages.ChangedCallResult, ErrorMetrics of the result).

        change  messages.InputChange; if it is empty, the inputs stay as they are
        rows    the messages.Rows with the numbers of calls that the worker makes

        After a change, outputs keep old results in a random half of the calls, to detect implementations that skip all
        their work. In the other half, the worker fills outputs with a wrong value, to detect implementations that skip
        a part of their work. If `rows` has pairs, outputs always keep old results. Callers must therefore call
        `recheck` for each case in one repetition, since `recheck` always fills outputs with the wrong value.
        """
        stale = bool(change.changes) and (rows.pairs > 0 or secrets.choice((True, False)))
        arguments = {"handle": case.id, "change": change, "rows": rows, "stale": stale}
        return self._compared("changed", given, predicted_s, is_changed=bool(change.changes), **arguments)

    def warm_up(self, case, settings: dict[str, Any], predicted_s=0.0):
        """Warm up a case with the settings of Clock.warm_up. Return {kind: (seconds per call, loops of a sample)}."""
        answer = self.ask("warm_up", case, predicted_s, **settings)
        self.warm.add(case.id)
        return answer

    def sample(self, case, loops, *, primed=(), cold=False, predicted_s=0.0):
        """Take one sample of each kind of time in `loops`. Return {kind: seconds per call}.

        loops   {kind: number of calls in the sample}
        primed  kinds whose sample follows an untimed call
        cold    whether to sample with cold caches
        """
        return self.ask("sample", case, predicted_s, loops=loops, primed=list(primed), cold=cold)

    def ask(self, name, case, predicted_s=0.0, **arguments) -> Any:
        """Call a method of worker.__main__.Worker for a case, and return its answer."""
        return self._ask(name, predicted_s, handle=case.id, **arguments)

    def release(self, problem):
        """Have the worker free a problem's arrays. The problem's cases must then be prepared and warmed up again."""
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
                return self.call(name, timeout_s, buffer_bytes, **arguments)
            except Failed as failed:
                if not failed.alive or failed.outcome == "out_of_memory":  # free the memory for other workers
                    self.close()
                raise
