"""The conversation with a worker: what is asked in which order to run cases, and be sure of their results."""

import secrets
from contextlib import nullcontext
from typing import Any

from accelbench.measure import environment
from accelbench.measure.client import Client, Failed
from accelbench.model.parameters import plain
from accelbench.rpc import messages

DEADLINE_FACTOR = 4
ONE_CALL = messages.Rows()


def untimed(name):
    """In place of Steps.step, where nobody wants to know what took how long."""
    return nullcontext()


class CaseRunner:
    """One worker: an implementation on a device with a number of threads, open and ready for cases.

    opened      what that took (messages.Opened)
    variables   what was set in its environment
    alive       whether it still runs; a worker that died, hung or ran out of memory does not
    loaded      {problem: key of the inputs} of what it holds; prepared: {case: problem}; warm: cases

    client      its Client
    opening     the messages.Open it begins with
    verifier    the Verifier that made inputs and compares results
    timeout_s   in which a call must have ended, beside DEADLINE_FACTOR times what is predicted for it
    step        step(name): a context in which the seconds of a step are counted

    What is asked raises Failed, also where a result is wrong.
    """

    def __init__(self, client: Client, opening: messages.Open, verifier, *, timeout_s: float, step=untimed):
        self._client, self._verifier, self._timeout_s, self._step = client, verifier, timeout_s, step
        self.variables, self.alive = client.variables, True
        self.loaded, self.prepared, self.warm = {}, {}, set()
        try:
            self.opened = self._ask(opening)
        except BaseException:
            self.close()
            raise

    def last_words(self):
        """Return the end of what the worker printed."""
        return self._client.last_words()

    def close(self):
        """End the worker and whatever it started."""
        self.alive = False
        self._client.kill()

    def environment(self):
        """What belongs in a record: variables that were set, thread pools, what the library says of its settings."""
        return {"variables": environment.recorded(self.variables), **self._ask(messages.Environment())}

    def load(self, problem, given, predicted_s=0.0):
        """Have a problem's arrays there, with the inputs `given` or others."""
        if problem.id not in self.loaded:
            self._ask(messages.Load(problem=problem.id, **vars(given.inputs)), predicted_s)
            self.loaded[problem.id] = given.key

    def refill(self, problem, given, predicted_s=0.0):
        """Have a problem's arrays there with the inputs `given`."""
        self.load(problem, given, predicted_s)
        if self.loaded[problem.id] != given.key:
            self._ask(messages.Refill(problem=problem.id, **vars(given.inputs)), predicted_s)
            self.loaded[problem.id] = given.key

    def prepare(self, case, predicted_s=0.0) -> messages.Prepared:
        answer = self._ask(
            messages.Prepare(
                problem=case.problem.id,
                handle=case.id,
                size=case.size,
                dtype=case.dtype,
                options=case.options,
                parameters=plain(case.parameters),
                tuned=case.tuned and plain(case.tuned),
            ),
            predicted_s,
        )
        self.prepared[case.id] = case.problem.id
        return answer

    def first_call(self, case, given, predicted_s=0.0):
        """(messages.CallResult, its ErrorMetrics)."""
        return self._compared(messages.FirstCall(case.problem.id, case.id), given, predicted_s=predicted_s)

    def recheck(self, case, given, predicted_s=0.0):
        """As first_call, with the inputs `given` in place, which must be untouched."""
        self.refill(case.problem, given, predicted_s)
        return self._compared(messages.Recheck(case.problem.id, case.id), given, predicted_s=predicted_s)

    def changed(self, case, given, change, *, rows=ONE_CALL, predicted_s=0.0):
        """(messages.ChangedCallResult, its ErrorMetrics) of a truth.InputChange; without changes that are to be
        had, of the inputs as they are.

        Where inputs change, outputs are left as they are with pairs, since other inputs come afterwards with poisoned
        ones, and in every second call without, which nobody can foretell: whoever does nothing where results are there
        already has the wrong ones then, and who leaves out a part of them else."""
        stale = bool(change.changes) and (rows.pairs > 0 or secrets.choice((True, False)))
        asked = {**vars(change), **vars(rows), "stale": stale}
        request = messages.Changed(problem=case.problem.id, handle=case.id, **asked)
        return self._compared(request, given, predicted_s=predicted_s, changed=bool(change.changes))

    def warm_up(self, case, settings: messages.WarmUpSettings, predicted_s=0.0):
        """{kind of time: (seconds per call, loops of a sample)}."""
        answer = self._ask(messages.WarmUp(handle=case.id, **vars(settings)), predicted_s)
        self.warm.add(case.id)
        return answer

    def sample(self, case, loops, *, primed=(), cold=False, predicted_s=0.0):
        """{kind of time: seconds per call} of each kind in `loops`."""
        return self._ask(messages.Sample(case.id, loops, list(primed), cold), predicted_s)

    def launch_facts(self, case) -> messages.LaunchFacts | None:
        return self._ask(messages.FactsOf(case.id))

    def sample_facts(self, case) -> messages.SampleFacts:
        return self._ask(messages.FactsOfSamples(case.id))

    def run_on(self, case, seconds, *, restore, predicted_s=0.0) -> messages.BatchResult:
        return self._ask(messages.RunOn(case.id, seconds, restore), predicted_s)

    def profile(self, case) -> messages.CallProfile:
        return self._ask(messages.ProfileCall(case.id, case.kernel))

    def release(self, problem):
        """Have the problem's arrays freed, and its cases forgotten."""
        if self.loaded.pop(problem.id, None) is not None:
            self._ask(messages.Release(problem.id))
            self.prepared = {case: of for case, of in self.prepared.items() if of != problem.id}
            self.warm &= self.prepared.keys()

    def _compared(self, request, given, *, predicted_s, changed=False):
        answer = self._ask(request, predicted_s, given.result_bytes)
        with self._step("compare"):
            return answer, self._verifier.compare(given, answer, changed)

    def _ask(self, request, predicted_s=0.0, buffer_bytes=0) -> Any:
        timeout_s = self._timeout_s + DEADLINE_FACTOR * predicted_s
        with self._step(request.name):
            try:
                return self._client.ask(request, timeout_s, buffer_bytes)
            except Failed as failed:
                if not failed.alive or failed.outcome == "out_of_memory":  # what it holds, others may need
                    self.close()
                raise
