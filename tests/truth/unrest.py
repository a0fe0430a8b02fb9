"""Share of noisy cases in two sweeps: on the machine as it is, and while short processes disturb every core."""

import contextlib
import os
import random
import subprocess
import sys
import threading

from planting import PASSES, at_least, at_most, plant, sweep

from accelbench.analysis import Analysis, frames
from accelbench.store.load import load_results

TWINS = 6
SIZES = (1_000, 10_000, 100_000)
BUSY_S, IDLE_S = (0.5, 3.0), (0.1, 1.0)  # ranges of the lengths of processes and of the pauses between them, in seconds
QUIET, DISTURBED = 0.05, 0.9


@contextlib.contextmanager
def disturbance(seed):
    """Run one thread per core, which starts busy processes with pauses between them. All lengths are random."""
    over = threading.Event()

    def disturb(chance):
        while not over.wait(chance.uniform(*IDLE_S)):
            script = f"import time\nend = time.time() + {chance.uniform(*BUSY_S)}\nwhile time.time() < end: pass"
            subprocess.run([sys.executable, "-c", script], check=True)

    threads = [threading.Thread(target=disturb, args=(random.Random(seed + n),)) for n in range(os.cpu_count())]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def share_noisy(folder):
    """Return the share of a sweep's cases that are marked noisy."""
    noisy = [row.noisy for row in frames.rows(Analysis(load_results(folder)), "timings") if row.outcome == "ok"]
    return sum(map(bool, noisy)) / len(noisy)


def rows(folder, options):
    """Return the rows of both sweeps."""
    passes = {f"numpy_twin{number}": PASSES for number in range(TWINS)}
    protocol, shares = {"protocol": {"repetitions": options.count}} if options.count else {}, []
    for name, around in (("quiet", contextlib.nullcontext()), ("disturbed", disturbance(options.seed))):
        plant(folder / name, passes, sizes=list(SIZES), **protocol)
        with around:
            shares.append(share_noisy(sweep(folder / name)[1]))
    return [
        at_most("cases marked noisy on the machine as it is", shares[0], QUIET),
        at_least("cases marked noisy on a machine disturbed on purpose", shares[1], DISTURBED),
    ]
