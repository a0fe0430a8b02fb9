"""Ask for an Observation: the process that calls the user's function, with a deadline and a memory limit."""

import os
import sys

from pydantic import TypeAdapter

from accelbench.derive.observation import ANSWER, Request
from accelbench.errors import InputError
from accelbench.processes.kept import ask, with_package

DEADLINE_S = 120.0  # time limit of the process, for some twenty calls at every size
MEMORY_BYTES = 16 << 30


def request(target, *, args, setup, sizes, script=None):
    """Return the Request for FILE.py:FUNCTION with these options; raise InputError if it is incomplete."""
    file, _, function = target.rpartition(":")
    if not file or (args is None) == (script is None):
        remedy = 'Write: FILE.py:FUNCTION --args "rng.random(n)" --size 1000, or: FILE.py:FUNCTION --from SCRIPT.py'
        raise InputError(target, "names no function with its arguments", remedy)
    return Request(file, function, args or "", setup, tuple(sorted(set(sizes or ()))), str(script or ""))


def observe(request):
    """Return the Observation of a function; raise InputError if it cannot be derived."""
    where, question = f"{request.file}:{request.function}", TypeAdapter(Request).dump_json(request).decode()
    command = [sys.executable, "-m", "accelbench.derive.observation", question]
    status, words = ask(command, DEADLINE_S, memory_bytes=MEMORY_BYTES, env=with_package(os.environ))
    if status != 0:
        how = f"did not end within {DEADLINE_S:g} s" if status is None else f"ended with status {status}"
        raise InputError(where, f"the process that calls it {how}: {words[-300:]}", "Choose smaller sizes")
    found = ANSWER.validate_json(words.rpartition("\n")[2])  # below what the function prints
    if isinstance(found, str):
        problem, _, remedy = found.partition(". ")
        raise InputError(where, problem, remedy or "See docs/derived.md")
    return found
