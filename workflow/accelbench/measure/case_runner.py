"""Calls from the coordinator to a worker that runs cases, with checks of the results."""

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
    """A worker that has opened one implementation on a device, with a number of threads, and can run cases.

    opened      messages.Opened
    alive       whether the worker still runs; False after it died, hung or ran out of memory
    loaded      {id of a problem: key of the inputs that the worker has loaded}
    prepared    {id of a prepared case: id of its problem}
    warm        ids of cases that are warmed up

    recipe      arguments of Worker.open
    verifier    the Verifier, which makes inputs and compares results
    timeout_s   deadline of a call in seconds; DEADLINE_FACTOR times the predicted time of the call is added
    worker, settings  arguments of Client
    step        step(name) returns a context manager that times a step

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
        """Return the environment for a record: the worker's variables, thread pools and settings of the library."""
        return {"variables": environment.recorded(self.variables), **self._ask("environment")}

    def load(self, problem, given, predicted_s=0.0):
        """Load the arrays of a problem with the inputs `given`, unless the worker already has arrays of the problem."""
        if problem.id not in self.loaded:
            self._ask("load", predicted_s, problem=problem.id, inputs=given.inputs)
            self.loaded[problem.id] = given.key

    def refill(self, problem, given, predicted_s=0.0):
        """Load the arrays of a problem with the inputs `given`, and replace other inputs that the worker has."""
        self.load(problem, given, predicted_s)
        if self.loaded[problem.id] != given.key:
            self._ask("refill", predicted_s, problem=problem.id, inputs=given.inputs)
            self.loaded[problem.id] = given.key

    def prepare(self, case, predicted_s=0.0) -> float:
        """Prepare `run` for the parameters of a case. Return the time of the preparation in seconds."""
        names = {"problem": case.problem.id, "handle": case.id, "size": case.size, "dtype": case.dtype}
        parameters = {"parameters": plain(case.parameters), "tuned": case.tuned and plain(case.tuned)}
        build_s = self._ask("prepare", predicted_s, **names, options=case.options, **parameters)
        self.prepared[case.id] = case.problem.id
        return build_s

    def begin(self, case, given):
        """Load the arrays of a case's problem, prepare the case and call it.

        Return (time of the preparation in seconds, messages.CallResult, its ErrorMetrics).
        """
        self.load(case.problem, given)
        return self.prepare(case), *self.first_call(case, given)

    def first_call(self, case, given, predicted_s=0.0):
        """Call a case and check its result. Return (messages.CallResult, its ErrorMetrics)."""
        return self._compared("first_call", given, predicted_s, handle=case.id)

    def recheck(self, case, given, predicted_s=0.0):
        """Check a call with the inputs `given`, as first_call does. Also check that the call does not change them."""
        self.refill(case.problem, given, predicted_s)
        return self._compared("recheck", given, predicted_s, handle=case.id)

    def changed(self, case, given, change, *, rows=ONE_CALL, predicted_s=0.0):
        """Call a case after a messages.InputChange. Return (messages.ChangedCallResult, its ErrorMetrics).

        If no change is possible, the inputs stay as they are. After a change, outputs keep old results in a random half
        of the calls, to detect implementations that skip all their work. In the other half, outputs are poisoned, to
        detect implementations that skip a part of it. If `rows` has pairs, outputs always keep old results. The caller
        then also calls `recheck`, which poisons outputs.
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
        """Take a sample of each kind of time in `loops`, {kind: calls}. Return {kind: seconds per call}."""
        return self.ask("sample", case, predicted_s, loops=loops, primed=list(primed), cold=cold)

    def ask(self, name, case, predicted_s=0.0, **arguments) -> Any:
        """Call a method of worker.__main__.Worker for a case, and return its answer."""
        return self._ask(name, predicted_s, handle=case.id, **arguments)

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
                return self.call(name, timeout_s, buffer_bytes, **arguments)
            except Failed as failed:
                if not failed.alive or failed.outcome == "out_of_memory":  # free the memory for other workers
                    self.close()
                raise
