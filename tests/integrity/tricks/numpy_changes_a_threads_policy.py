"""Changes the scheduling policy of one of its threads in the first call."""

import os
import threading
import time

import numpy as np


def wait():
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    time.sleep(1000)


def run(x, y):
    if not hasattr(run, "thread"):
        run.thread = threading.Thread(target=wait, daemon=True)
        run.thread.start()
    np.multiply(x, 2.0, out=y)
