"""Kill the run, Snakemake, the coordinator or a worker by kill -9 at random moments.

The next run continues without help, loses no case, and repeats no finished measurement except the baseline's. The next
run may be killed, too. The first run that is not killed must have all cases.
"""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psutil
import yaml
from tally import kill, marked, remaining

from accelbench import project

KERNELS = ["squares", "also"]
SIZES = [100, 200]
IMPLEMENTATIONS = ["numpy_multiply", "numpy_power", "python_loop", "python_map"]
BASELINE = IMPLEMENTATIONS[0]  # measured again with every implementation
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
REPETITIONS = 2
PROTOCOL = {"repetitions": REPETITIONS, "budget_s": 0.02, "min_rounds": 5, "sample_s": 0.0005, "startup": False}
TARGETS = [f"results/local/timings/{kernel}.jsonl" for kernel in KERNELS]
LIMIT_S = 300.0
VICTIMS = {  # {victim: beginnings of its command lines, after the interpreter}
    "run": [["-m", "accelbench", "run"]],
    "sweep": [["-m", "accelbench.cli.snakemake"]],
    "coordinator": [["-m", "accelbench", "measure"], ["-m", "accelbench", "merge"]],
    "worker": [["-m", "accelbench.worker"]],
}
KILLS_A_RUN = {
    "run": 1,
    "sweep": 1,
    "coordinator": 4,
    "worker": 4,
}  # Maximum number of kills per run. Snakemake restarts killed jobs, and a repetition restarts killed workers.


def write(folder):
    """Write kernels to `folder`, and a configuration that measures them in a few seconds."""
    kernels = folder / "kernels"
    for kernel in KERNELS:
        (kernels / kernel).mkdir(parents=True)
        (kernels / kernel / "kernel.py").write_text(KERNEL)
        for name, body in zip(IMPLEMENTATIONS, BODIES, strict=True):
            (kernels / kernel / f"{name}.py").write_text(f'"""Squares."""\ndef run(x, y):\n    {body}\n')
    settings = {"kernels_path": [str(kernels)], "peaks": False, "protocol": PROTOCOL}
    (folder / "own.yaml").write_text(yaml.safe_dump(settings))


def torture(tally, folder, seed, count, spans_s=None):
    """Kill each victim `count` times. Victims are killed concurrently, each in a separate subfolder of `folder`.

    spans_s  {victim: seconds for which it exists in a run}; default: all of VICTIMS, with spans from observed runs
    """
    spans_s = spans_s or dict.fromkeys(VICTIMS)
    with ThreadPoolExecutor(len(spans_s)) as pool:
        kinds = [pool.submit(_torture_one, tally, folder / v, v, seed, count, span) for v, span in spans_s.items()]
    for kind in kinds:
        kind.result()


def _torture_one(tally, folder, victim, seed, count, span_s):
    write(folder)
    choice, left = random.Random(f"{seed} {victim}"), count
    if span_s is None:
        _run(tally, folder, victim, partial(_watch, victim))  # also describes the machine, so its span is discarded
        _forget(folder)
        span_s = _run(tally, folder, victim, partial(_watch, victim))
    while left:
        _forget(folder)
        finished, alone = Counter(), False
        while True:
            most = 0 if alone else min(left, KILLS_A_RUN[victim])
            kills = _run(tally, folder, victim, partial(_hunt, victim, choice, span_s, most))
            tally.tried[f"kills of {victim}"] += kills
            left -= kills
            finished, before = _finished(folder), finished
            if before.keys() - finished.keys():
                tally.add("cases lost", f"from the journal, after kill -9 of {victim}: {before - finished}")
            if not kills:
                break
            alone = victim == "worker"  # no kill in the next run: a case whose worker died in two runs is not retried
        _check(tally, folder, victim, finished)


def _forget(folder):
    """Remove the measurements."""
    for name in ("journal", "repetitions", "timings", "kernels"):
        shutil.rmtree(folder / "results" / "local" / name, ignore_errors=True)


def _check(tally, folder, victim, finished):
    """Count the cases that are missing after a finished run, or were measured twice."""
    for (journal, case), times in sorted(finished.items()):
        if times > 1 and f"/{BASELINE}/" not in case:
            tally.add("measured again", f"{case} in {journal} after kill -9 of {victim}")
    records = _records(folder)
    right = sum(record["outcome"] == "ok" and len(record["repetitions"]) >= REPETITIONS for record in records)
    if lost := len(KERNELS) * len(SIZES) * len(IMPLEMENTATIONS) - right:
        made = Counter((r["kernel"], r["outcome"], r["reason"], len(r["repetitions"])) for r in records)
        tally.add("cases lost", f"{lost} after kill -9 of {victim}: there are {made}")


def _run(tally, folder, victim, hunt):
    """Start a run, return the result of `hunt(process)`, and check that the ended run left nothing behind."""
    mark = f"{os.getpid()}-{victim}-{time.monotonic_ns()}"
    command = [sys.executable, "-m", "accelbench", "run", "--configfile", "own.yaml", *TARGETS]
    command += ["--retries", "3"] if victim == "coordinator" else []
    own = {"ACCELBENCH_TORTURE": mark, "PYTHONPATH": str(project.ROOT / "workflow"), "TMPDIR": str(folder / "tmp")}
    (folder / "tmp").mkdir(exist_ok=True)
    with (folder / "output").open("w+") as output:
        process = psutil.Popen(
            command, cwd=folder, env=os.environ | own, stdout=output, stderr=output, start_new_session=True
        )
        found = hunt(process)
        try:
            process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            tally.add("hangs", f"a run with {found} kills of {victim}")
        for left in remaining(mark):
            tally.add("processes left", f"after kill -9 of {victim}: {left}")
        kill(marked(mark))
        output.seek(0)
        said = output.read()
    if (begin := said.find("Traceback (most recent call last)")) >= 0:
        tally.add("tracebacks", f"after kill -9 of {victim}: {said[begin : begin + 3000]}")
    if not found and process.returncode != 0:
        tally.add("manual steps", f"a run after kill -9 of {victim} ended with {process.returncode}: {said[-3000:]}")
    for path in (folder / "tmp").iterdir():
        tally.add("files written outside", f"{path.name} in the temporary folder, after kill -9 of {victim}")
    shutil.rmtree(folder / "tmp")
    return found


def _watch(victim, process):
    """Return the seconds for which a victim exists in an undisturbed run."""
    seen = []
    while _goes_on(process):
        if _living(victim, process):
            seen.append(time.monotonic())
        time.sleep(0.05)
    return seen[-1] - seen[0]


def _hunt(victim, choice, span_s, most, process):
    """Kill up to `most` victims in a run, each at a random moment of its life; return how many were killed."""
    kills = 0
    pause_s = span_s / most if victim == "worker" and most else span_s  # the workers of a run share one span
    while kills < most and _wait_for(victim, process):
        time.sleep(choice.uniform(0, pause_s))
        if living := _wait_for(victim, process):
            with contextlib.suppress(psutil.NoSuchProcess):
                choice.choice(living).kill()
                kills += 1
    return kills


def _wait_for(victim, process):
    """Wait for victims and return them. Return [] if the run has ended or hung."""
    while _goes_on(process):
        if living := _living(victim, process):
            return living
        time.sleep(0.05)
    return []


def _goes_on(process):
    """Return whether a run has neither ended nor hung."""
    return process.poll() is None and time.time() - process.create_time() < LIMIT_S


def _living(victim, process):
    """Return the victims in a run: the processes whose command line has the victim's words after the interpreter."""
    found = []
    with contextlib.suppress(psutil.Error):
        for each in [process, *process.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                line = each.cmdline()
                if any(line[1 : 1 + len(words)] == words for words in VICTIMS[victim]):
                    found.append(each)
    return found


def _finished(folder):
    """Return {(journal, case): number of the case's entries with outcome ok in the journal}."""
    found = Counter()
    for journal in (folder / "results" / "local" / "journal").glob("*.jsonl"):
        for line in journal.read_text().splitlines():
            if line.startswith("{") and line.endswith("}"):
                entry = json.loads(line)
                found[journal.name, entry.get("case")] += entry.get("outcome") == "ok"
    return +found


def _records(folder):
    """Return the records in the existing files of TARGETS."""
    files = [path for path in map(folder.joinpath, TARGETS) if path.exists()]
    return [json.loads(line) for path in files for line in path.read_text().splitlines()]
