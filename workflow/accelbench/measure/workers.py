"""The workers of a repetition. A worker starts when its first case needs it. All workers end together."""

from concurrent.futures import ThreadPoolExecutor, as_completed

from accelbench.measure.case_runner import CaseRunner


class Workers:
    """Workers that a Bench starts.

    opened      {PlannedCase.worker: (messages.Opened, environment)} of all workers that were started
    converting  workers whose implementations convert their inputs
    ended       whether the workers were ended or are being ended. If true, calls fail, and `side_by_side` starts no
                further step
    """

    def __init__(self, bench):
        self._bench, self._cores = bench, bench.machine.cpu.available
        self._runners, self._pool = {}, ThreadPoolExecutor(self._cores)
        self.opened, self.converting, self.ended = {}, set(), False

    def runner(self, case) -> CaseRunner:
        """Return the CaseRunner of a case. Start a worker if none runs; raise Failed if the worker does not start."""
        runner = self.running(case)
        if runner is None:
            runner = self._runners[case.worker] = self._bench.start(case)
        if case.worker not in self.opened:
            self.opened[case.worker] = runner.opened, runner.environment()
            self.converting |= {case.worker} if runner.opened.converts else set()
        return runner

    def running(self, case) -> CaseRunner | None:
        """Return the CaseRunner of a case whose worker runs, or None."""
        runner = self._runners.get(case.worker)
        return runner if runner and runner.alive else None

    def side_by_side(self, step, states, name):
        """Run step(state) for several CaseStates in parallel threads. Cases of one worker run one after the other.

        name  name of the step in the recorded times of steps

        If a step raises an exception, this function raises it, too.
        """
        queues = {}
        for state in states:
            queues.setdefault(state.case.worker, []).append(state)

        def work(queue):
            for state in queue:
                if not self.ended:
                    step(state)

        with self._bench.steps.step(name, side_by_side=max(1, min(len(queues), self._cores))):
            for done in as_completed([self._pool.submit(work, queue) for queue in queues.values()]):
                done.result()

    def end(self):
        """End all workers, even during calls."""
        self.ended = True
        self._close()
        self._pool.shutdown()
        self._close()  # end workers that started meanwhile

    def _close(self):
        with ThreadPoolExecutor(self._cores) as pool:
            list(pool.map(CaseRunner.close, [runner for runner in list(self._runners.values()) if runner.alive]))
