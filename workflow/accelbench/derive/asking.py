"""Ask for an Observation: the process that calls the user's function, with a deadline and a memory limit."""

import os
import sys
import tempfile
from pathlib import Path

from pydantic import TypeAdapter

from accelbench.derive.observation import Observation, Request
from accelbench.errors import InputError
from accelbench.processes.kept import ask, with_package

DEADLINE_S = 120.0  # for some twenty calls of the function at every size
MEMORY_BYTES = 16 << 30


def request(target, *, args, setup, sizes, script=None):
    """Return the Request for FILE.py:FUNCTION with these options; InputError if it is incomplete."""
    file, _, function = target.rpartition(":")
    if not file or (args is None) == (script is None):
        remedy = 'Write: FILE.py:FUNCTION --args "rng.random(n)" --size 1000, or: FILE.py:FUNCTION --from SCRIPT.py'
        raise InputError(target, "names no function with its arguments", remedy)
    for path in filter(None, (file, script)):
        if not Path(path).is_file():
            raise InputError(path, "no such file", "Name the file that defines the function: FILE.py:FUNCTION")
    calls = str(Path("results", ".derive", f"{function}.pickle").resolve()) if script else ""
    given = tuple(dict.fromkeys(sizes or ()))
    return Request(file, function, args or "", setup, tuple(sorted(given)), str(script or ""), calls)


def observe(request):
    """Return the Observation of a function; InputError if it cannot be derived."""
    where = f"{request.file}:{request.function}"
    with tempfile.TemporaryDirectory(prefix="accelbench-try-") as folder:
        question, answer = Path(folder, "request.json"), Path(folder, "answer.json")
        question.write_bytes(TypeAdapter(Request).dump_json(request))
        command = [sys.executable, "-m", "accelbench.derive.observation", str(question), str(answer)]
        environment = with_package(os.environ)
        status, words = ask(command, DEADLINE_S, memory_bytes=MEMORY_BYTES, env=environment)
        if not answer.is_file():
            how = f"did not end within {DEADLINE_S:g} s" if status is None else f"ended with status {status}"
            remedy = "Choose smaller sizes, or call the function yourself with these arguments"
            raise InputError(where, f"the process that calls it {how}: {words[-300:]}", remedy)
        found = TypeAdapter(Observation | dict[str, str]).validate_json(answer.read_bytes())
    if isinstance(found, dict):
        problem, _, remedy = found.popitem()[1].partition(". ")
        raise InputError(where, problem, remedy or "See docs/derived.md")
    return found
