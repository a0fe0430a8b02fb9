"""The workers of a repetition: started when a case of theirs is first due, asked side by side, and ended together."""

from concurrent.futures import ThreadPoolExecutor, as_completed

from accelbench.measure.case_runner import CaseRunner


class Workers:
    """Those that a Bench starts.

    opened      {worker: (messages.Opened, its environment)} of all that were ever started
    converting  those whose arrays are not those of their backend's others
    ended       whether they are, or are about to be: whoever asks one then is told that it died, and begins nothing
    """

    def __init__(self, bench):
        self._bench, self._cores = bench, bench.machine.cpu.available
        self._runners, self._pool = {}, ThreadPoolExecutor(self._cores)
        self.opened, self.converting, self.ended = {}, set(), False

    def runner(self, case) -> CaseRunner:
        """That of a case's worker, started anew where it is gone; Failed."""
        runner = self.running(case)
        if runner is None:
            runner = self._runners[case.worker] = self._bench.start(case)
        if case.worker not in self.opened:
            self.opened[case.worker] = runner.opened, runner.environment()
            self.converting |= {case.worker} if runner.opened.converts else set()
        return runner

    def running(self, case) -> CaseRunner | None:
        """That of a case's worker, where there is one."""
        runner = self._runners.get(case.worker)
        return runner if runner and runner.alive else None

    def side_by_side(self, step, lives, name):
        """step(live) of several cases on all cores, untimed, those of one worker one after the other; until all have
        come to their end, or one raises. `name` is what is told of how long it took."""
        queues = {}
        for live in lives:
            queues.setdefault(live.case.worker, []).append(live)

        def work(queue):
            for live in queue:
                if not self.ended:
                    step(live)

        with self._bench.steps.step(name, side_by_side=max(1, min(len(queues), self._cores))):
            for done in as_completed([self._pool.submit(work, queue) for queue in queues.values()]):
                done.result()

    def end(self):
        """End them all, also in the midst of what they are asked side by side."""
        self.ended = True
        self._close()
        self._pool.shutdown()
        self._close()  # what was just being started

    def _close(self):
        with ThreadPoolExecutor(self._cores) as pool:
            list(pool.map(CaseRunner.close, [runner for runner in list(self._runners.values()) if runner.alive]))
