"""Counts of the torture: trials, and failures of each kind."""

import contextlib
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from accelbench import project

KINDS = (
    "cases lost",
    "kernels lost",
    "measured again",
    "manual steps",
    "hangs",
    "tracebacks",
    "processes left",
    "files written outside",
    "other than declared",
)
LEFT_AFTER_S = 5.0  # seconds within which descendants of a killed process must end


@dataclass
class Tally:
    """Counts of one part of the torture: {what: number of trials}, and failures [(kind, description)]."""

    tried: Counter = field(default_factory=Counter)
    wrong: list = field(default_factory=list)

    def add(self, kind, what):
        assert kind in KINDS, kind
        self.wrong.append((kind, what))
        print(f"  {kind}: {what}", flush=True)

    def command(self, words, folder, timeout_s, **options):
        """Run `python WORDS` in `folder`; return the finished process, or None if it hung.

        Count its tracebacks, the processes it leaves and the files it writes to the temporary folder.

        options  further arguments of subprocess.Popen
        """
        mark, temporary = f"{os.getpid()}-{time.monotonic_ns()}", Path(folder, "tmp")
        temporary.mkdir(exist_ok=True)
        path = os.pathsep.join(filter(None, [str(project.ROOT / "workflow"), os.environ.get("PYTHONPATH")]))
        own = {"ACCELBENCH_TORTURE": mark, "TMPDIR": str(temporary), "PYTHONPATH": path}
        command = [sys.executable, *map(str, words)]
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | own, text=True, errors="replace", start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
        )  # fmt: skip
        shown, done = " ".join(command[1:]), None
        try:
            out, err = process.communicate(timeout=timeout_s)
            done = subprocess.CompletedProcess(command, process.returncode, out, err)
        except subprocess.TimeoutExpired:
            self.add("hangs", f"{shown}: no end within {timeout_s:g} s")
            kill(marked(mark))
            process.communicate()
        output = done.stdout + done.stderr if done else ""
        if (begin := output.find("Traceback (most recent call last)")) >= 0:
            self.add("tracebacks", f"{shown}: {output[begin : begin + 3000]}")
        for left in remaining(mark):
            self.add("processes left", f"{shown}: {left}")
        kill(marked(mark))
        for path in temporary.iterdir():
            self.add("files written outside", f"{shown}: {path.name} in the temporary folder")
        return done


def marked(mark):
    """Return the running processes whose environment has the mark. They need not be children of this process."""
    processes = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.status() != psutil.STATUS_ZOMBIE and process.environ().get("ACCELBENCH_TORTURE") == mark:
                processes.append(process)
    return processes


def remaining(mark):
    """Return the command lines of marked processes that do not end within LEFT_AFTER_S."""
    deadline = time.monotonic() + LEFT_AFTER_S
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    lines = []
    for process in left:
        with contextlib.suppress(psutil.Error):
            lines.append(" ".join(process.cmdline())[:200])
    return lines


def kill(processes):
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
