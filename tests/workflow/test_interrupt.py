"""A run that is interrupted by Ctrl-C: its last message, and the results that are kept."""

import contextlib
import os
import pty
import re
import signal
import sys

import pytest
from place import KERNEL
from twice import write_config
from waiting import soon

from accelbench import project
from accelbench.store import files

SLOW = '"""Takes 0.08 seconds."""\nimport time\ndef run(x, y):\n    time.sleep(0.08)\n    y[:] = x + x\n'
SIZES = range(100, 900, 100)
INTERRUPT = b"\x03"
PROTOCOL = {"repetitions": 1, "budget_s": 0.01, "min_rounds": 5, "sample_s": 0.0005, "startup": False}


@pytest.fixture
def terminal(workplace, described):
    """A function that runs a command in a terminal, types Ctrl-C when a condition holds, and returns the output."""
    folder = workplace / "my kernels" / "twice"
    (folder / "kernel.py").write_text(KERNEL.replace(', "float32"', ","))
    (folder / "numpy_slow.py").write_text(SLOW)
    write_config(workplace, protocol=PROTOCOL, sizes=list(SIZES))
    files.write_json(workplace / "results/local/machine.json", described)
    python = workplace / ".venv" / "bin" / "python"
    files.write(python, f'#!/bin/sh\nPYTHONPATH="{project.ROOT}/workflow" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    files.write(workplace / "envs" / "install.py", "")

    def interrupt(condition, *words, times=1):
        child, terminal = pty.fork()
        if not child:
            os.chdir(workplace)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored if a shell started the tests in the background
            os.execvp(words[0], list(map(str, words)))
        printed = b""
        try:
            assert soon(condition, within_s=120)
            for _ in range(times):
                os.write(terminal, INTERRUPT)
            with contextlib.suppress(OSError):  # raised at the end of a terminal's output on Linux
                while read := os.read(terminal, 65536):
                    printed += read
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status, printed.decode()

    return interrupt


@pytest.mark.parametrize(
    ("make", "times"),
    [
        pytest.param(True, 1, id="make"),
        pytest.param(True, 2, id="make-twice", marks=pytest.mark.slow),
        pytest.param(False, 1, id="run", marks=pytest.mark.slow),
        pytest.param(False, 2, id="run-twice"),
    ],
)
def test_interrupted_run_ends_with_one_line(workplace, terminal, make, times):
    journal = workplace / "results/local/journal/twice.1.jsonl"
    command = ["make", "-f", project.ROOT / "Makefile", "report", "CONFIG=own.yaml"]
    if not make:
        command = [workplace / ".venv/bin/python", "-m", "accelbench", "run", "--configfile", "own.yaml"]
    status, printed = terminal(lambda: journal.exists() and journal.stat().st_size, *command, times=times)
    assert status == (-signal.SIGINT if make else 130)
    before, _, after = re.sub(r"\x1b\[[?;\d]*[A-Za-z]", "", printed).rpartition("^C")
    *bar, last = filter(str.strip, after.splitlines())
    # Until the signal arrives, one to seven of the eight problems are measured.
    assert re.fullmatch(
        r"Stopped\. (?:[2468]|1[024]) of 16 cases are kept\. The same command continues the run\.", last
    ), printed
    assert all("━" in line for line in bar), printed
    assert "Reason:" not in before
    assert "Host:" not in before
    assert not any((workplace / "results").rglob("1.json"))
