"""kill -9 at random moments of the run, of Snakemake, of the coordinator and of a worker: the next run goes on by
itself, loses nothing, and measures nothing again that was finished."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import yaml
from tally import kill, marked, remaining

from accelbench import project

SIZES = [100, 200, 300, 400]
IMPLEMENTATIONS = ["numpy_multiply", "numpy_power", "python_loop", "python_map"]
BASELINE = IMPLEMENTATIONS[0]  # sits again beside whatever is measured
KERNEL = f'''
import numpy as np
from accelbench.kernel import Kernel, Output
KERNEL = Kernel(title="Squares", size="elements", sizes=dict.fromkeys(("smoke", "default", "lecture"), {tuple(SIZES)}),
                dtypes=("float64",), baseline="{BASELINE}")
def inputs(size, dtype, rng): return {{"x": rng.random(size)}}
def outputs(size, dtype): return (Output("y", (size,), dtype),)
def reference(x): return x * x
def tolerance(): return 0
def bytes_moved(size, itemsize): return size * itemsize, size * itemsize
def flops(size): return size
'''
BODIES = ["y[:] = x * x", "y[:] = x**2", "for i, e in enumerate(x): y[i] = e * e", "y[:] = [*map(lambda e: e * e, x)]"]
PROTOCOL = {"processes": 1, "budget_s": 0.02, "min_samples": 5, "passes": 1, "sample_s": 0.0005, "startup": False}
TARGET = "results/local/timings/squares.jsonl"
LIMIT_S = 180.0
VICTIMS = {
    "run": lambda words: words[1:4] == ["-m", "accelbench", "run"],
    "sweep": lambda words: words[1:3] == ["-m", "snakemake"],
    "coordinator": lambda words: words[1:4] == ["-m", "accelbench", "measure"],
    "worker": lambda words: words[1:3] == ["-m", "accelbench.worker"],
}


def write(folder):
    """A kernel in `folder`, and the configuration that measures it in a few seconds."""
    kernel = folder / "kernels" / "squares"
    kernel.mkdir(parents=True)
    (kernel / "kernel.py").write_text(KERNEL)
    for name, body in zip(IMPLEMENTATIONS, BODIES, strict=True):
        (kernel / f"{name}.py").write_text(f'"""Squares."""\ndef run(x, y):\n    {body}\n')
    settings = {"kernels_path": [str(kernel.parent)], "limits": False, "protocol": PROTOCOL}
    (folder / "own.yaml").write_text(yaml.safe_dump(settings))


def torture(tally, folder, random, count, victims=VICTIMS):
    """Kill each of `victims` `count` times in runs in `folder`, each time followed by a run that is left alone."""
    write(folder)
    alone = _run(tally, folder)  # describes the machine, and tells how long a run takes
    for victim in [victim for victim in victims for _ in range(count)]:
        for name in ("journal", "timings", "kernels"):
            shutil.rmtree(folder / "results" / "local" / name, ignore_errors=True)
        _run(tally, folder, victim, random.uniform(0, alone))
        finished = _finished(folder)
        _run(tally, folder)
        after = _finished(folder)
        for case in sorted(case for case in finished if after[case] > 1 and f"/{BASELINE}/" not in case):
            tally.add("measured again", f"{case} after kill -9 of {victim}")
        lost = len(SIZES) * len(IMPLEMENTATIONS) - _right(folder)
        if lost:
            tally.add("cases lost", f"{lost} after kill -9 of {victim}")
        tally.tried[f"kills of {victim}"] += 1


def _run(tally, folder, victim=None, delay_s=0.0):
    """Seconds that a run took, whose `victim` is killed from `delay_s` seconds on, as soon as there is one."""
    mark, begin = f"{os.getpid()}-{time.monotonic_ns()}", time.monotonic()
    command = [sys.executable, "-m", "accelbench", "run", "--configfile", "own.yaml", TARGET]
    own = {"ACCELBENCH_TORTURE": mark, "PYTHONPATH": str(project.ROOT / "workflow")}
    with (folder / "output").open("w+") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | own, stdout=output, stderr=output, start_new_session=True
        )
        if victim:
            time.sleep(delay_s)
            while process.poll() is None and not _kill_one(mark, VICTIMS[victim]):
                time.sleep(0.01)
        try:
            process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            tally.add("hangs", f"after kill -9 of {victim}" if victim else "the run after a kill")
        seconds = time.monotonic() - begin
        for left in remaining(mark):
            tally.add("processes left", f"after kill -9 of {victim}: {left}")
        kill(marked(mark))
        output.seek(0)
        said = output.read()
    if "Traceback (most recent call last)" in said:
        tally.add("tracebacks", said[-3000:])
    if not victim and process.returncode != 0:
        tally.add("manual steps", f"the run after a kill ended with status {process.returncode}: {said[-3000:]}")
    return seconds


def _kill_one(mark, is_victim):
    """Whether one of the marked processes was a victim, and was killed."""
    for process in marked(mark):
        try:
            if is_victim(process.cmdline()):
                process.send_signal(signal.SIGKILL)
                return True
        except psutil.Error:
            continue
    return False


def _finished(folder):
    """{case: how often the journal has it as ok}."""
    journal = folder / "results" / "local" / "journal" / "squares.jsonl"
    found = Counter()
    for line in journal.read_text().splitlines() if journal.exists() else ():
        if line.startswith("{") and line.endswith("}"):
            entry = json.loads(line)
            found[entry.get("case")] += entry.get("outcome") == "ok"
    return +found


def _right(folder):
    """How many cases have a result that is ok."""
    timings = Path(folder, TARGET)
    lines = timings.read_text().splitlines() if timings.exists() else []
    return sum(json.loads(line)["outcome"] == "ok" for line in lines)
