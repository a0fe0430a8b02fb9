"""Translation of a source, such as a .pyx, to C or C++ in a separate process.

If a source makes its translator end, crash, hang or exhaust memory, only the artifact of this source fails. If the
translator executes the source, the error message names the line that ran last.
"""

import os
import sys
from pathlib import Path

from accelbench import discovery
from accelbench.processes.supervision import clean_environment, signal_name
from accelbench.store import files
from accelbench.toolchains import compiler


def run(module, task, folder, *arguments):
    """Return translate(source, *arguments), called in a separate process.

    The process runs the toolchain's `module` as a program, which passes its function `translate` to `serve`.
    `translate` runs in the kernel's folder, gets arguments as text, writes files into `folder`/work, and returns JSON
    values. If `translate` fails, raise BuildError with its message and output. If the process ends early, raise
    BuildError with the line that ran last.
    """
    answer, line = folder / "work" / "answer.json", folder / "work" / "line.txt"
    command = [sys.executable, "-P", "-W", "ignore", "-m", module, str(answer), str(line), task.source]
    try:
        status, words = compiler.run(
            [*command, *map(str, arguments)], task.config, cwd=task.folder, env=clean_environment()
        )
    except compiler.BuildError as stopped:
        raise compiler.BuildError(f"{_place(task.source, line)}: {stopped}") from None
    if not answer.is_file():
        how = f"died of {signal_name(-status)}" if status < 0 else f"ended with exit status {status}"
        raise compiler.BuildError(f"{_place(task.source, line)}: the process that translates the source {how}\n{words}")
    result, failure = files.read_json(answer)
    if failure is not None:
        raise compiler.BuildError(f"{failure}\n{words}".strip())
    return result


def serve(translate, runs_source=False):
    """Call `translate` in the process that `run` starts.

    runs_source  whether `translate` executes the source
    """
    answer, line, source, *arguments = sys.argv[1:]
    if runs_source:
        _follow(source, line)
    result = failure = None
    try:
        result = translate(source, *arguments)
    except compiler.BuildError as error:
        failure = str(error)
    except MemoryError as error:
        failure = f"{discovery.place(source, error)}: translating it needs more memory than the limit (build.memory_gb)"
    except BaseException as error:
        failure = f"{discovery.place(source, error)}: translating it failed: {type(error).__name__}: {error}"
    files.write_json(Path(answer), [result, failure], default=str)
    sys.stdout.flush()
    os._exit(0)


def _follow(source, line):
    """Write the current line number of `source` into the file `line`, so that `run` can read it after a crash."""
    descriptor = os.open(line, os.O_WRONLY | os.O_CREAT)

    def note(frame, event, _):
        if frame.f_code.co_filename != source:
            return None
        at = b"" if event == "return" and frame.f_code.co_name == "<module>" else b":%d" % frame.f_lineno
        os.truncate(descriptor, os.pwrite(descriptor, at, 0))
        return note

    sys.settrace(note)


def _place(source, line):
    """Return "<source>:<number of the line that ran last>", or `source` if the number is unknown."""
    return source + (line.read_text(encoding="utf-8") if line.is_file() else "")
