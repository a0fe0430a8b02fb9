"""Translating a source in a process of its own: what a source makes a translator do (end, crash, never end, fill all
memory) is then its own artefact's fault, and is told with the place that did it."""

import faulthandler
import os
import re
import sys
from pathlib import Path

from accelbench import discovery
from accelbench.processes.kept import package_path, signal_name
from accelbench.store import files
from accelbench.toolchains import compiler
from accelbench.toolchains.compiler import BuildError

LOOKS = 20  # at where the process is, within the time it has


def run(module, task, folder, *arguments):
    """What `translate(source, *arguments)` returns, which a toolchain's `module` hands to `serve` when it is run.

    It is called in the kernel's folder, with texts alone, and returns what JSON knows; `folder`/work is for its files.
    BuildError with its own and what it has printed, or with the place where its process ended otherwise.
    """
    answer, trace = folder / "work" / "answer.json", folder / "work" / "trace.txt"
    command = [sys.executable, "-P", "-W", "ignore", "-m", module]
    command += [str(answer), str(trace), str(task.config.timeout_s / LOOKS), task.source, *map(str, arguments)]
    try:
        status, words = compiler.run(command, task.config, cwd=task.folder, env=os.environ | package_path())
    except BuildError as stopped:
        raise BuildError(f"{_place(task.source, trace)}: {stopped}") from None
    if not answer.is_file():
        how = f"died of {signal_name(-status)}" if status < 0 else f"was ended with exit status {status}"
        raise BuildError(f"{_place(task.source, trace)}: the process that translates it {how}\n{words}")
    result, failure = files.read_json(answer)
    if failure is not None:
        raise BuildError(f"{failure}\n{words}".strip())
    return result


def serve(translate):
    """Be the process that `run` has started."""
    answer, trace, pause_s, source, *arguments = sys.argv[1:]
    trace, end = open(trace, "w"), os._exit  # noqa: SIM115 - as long as this process lives
    faulthandler.enable(trace)
    faulthandler.dump_traceback_later(float(pause_s), repeat=True, file=trace)

    def leave(status):
        faulthandler.dump_traceback(trace, all_threads=False)
        end(status)

    os._exit = leave
    result = failure = None
    try:
        result = translate(source, *arguments)
    except BuildError as error:
        failure = str(error)
    except MemoryError as error:
        failure = f"{discovery.place(source, error)}: it needs more memory than it may fill (build.memory_gb)"
    except BaseException as error:
        failure = f"{discovery.place(source, error)}: translating it failed: {type(error).__name__}: {error}"
    files.write_json(Path(answer), [result, failure], default=str)
    sys.stdout.flush()
    end(0)


def _place(source, trace):
    """`source:line` of the last line of it that the process was seen at, or `source` alone."""
    seen = trace.read_text(encoding="utf-8", errors="replace") if trace.is_file() else ""
    for stack in reversed(seen.split("(most recent call first)")):
        if line := re.search(rf'File "{re.escape(source)}", line (\d+)', stack):
            return f"{source}:{line[1]}"
    return source
