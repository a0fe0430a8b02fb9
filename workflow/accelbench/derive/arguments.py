"""Arguments of a call: code for the functions `signature` and `arguments` of a kernel.py, or arguments that are
captured from a script."""

import ast
import copy
import inspect
import re
import runpy
import sys
from pathlib import Path

import numpy as np

from accelbench.derive.source import Refusal

MOST_SIZES = 5  # sizes of a script's calls that are kept
CALLS = "calls.pickle"  # {size: arguments} of captured calls, beside kernel.py
CAPTURED = f'''import pickle
from pathlib import Path

import numpy as np

calls = pickle.loads(Path(__file__).with_name("{CALLS}").read_bytes())  # by size


def arguments(n, rng):
    """Return the arguments of the call that was captured for this size."""
    return calls[n]'''
CODE = '''import sys

import numpy as np

sys.path.insert(0, {folder!r})  # what the arguments are made with
{imports}


def signature({parameters}):
    """Return the arguments of a call of {name} in order."""
    return ({names},)


def arguments(n, rng):
    """Return the arguments of one call; `n` is the size."""
{body}'''


def uses_n(request):
    """Return whether the arguments depend on the size: they read `n` and do not assign it."""
    nodes = ast.walk(ast.parse(f"{request.setup}\n_({request.args})"))
    return {type(node.ctx) for node in nodes if isinstance(node, ast.Name) and node.id == "n"} == {ast.Load}


def code(module, folder, function, *, request):
    """Return the lines of a kernel.py that make the arguments of a function; raise Refusal if they are no Python.

    module, folder  the function's module, and the folder that it is imported from
    """
    text = f"{request.setup}\nreturn signature({request.args})".strip()
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        raise Refusal(f"{text!r} is no Python: {error.msg}. Quote --args and --setup for the shell") from None
    parameters = inspect.signature(function).parameters
    words = sorted(set(re.findall(r"\b[^\W\d]\w*", text)) - {"np", "n", "rng", "signature"})
    known = [f"from {module.__name__} import {word}" for word in words if hasattr(module, word)]
    known += [f"import {w}" for w in words if Path(folder, f"{w}.py").is_file() and not hasattr(module, w)]
    return CODE.format(
        folder=str(folder),
        imports="\n".join(known),
        parameters=", ".join(n if p.default is p.empty else f"{n}={p.default!r}" for n, p in parameters.items()),
        name=function.__name__,
        names=", ".join(parameters),
        body="\n".join(f"    {line}" for step in body for line in ast.unparse(step).splitlines()),
    )


def modules_used(folder):
    """Return the files of the modules that were imported from a folder, sorted."""
    found = {Path(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
    return sorted(file for file in found if file.is_relative_to(folder) and "site-packages" not in file.parts)


def capture(script, function):
    """Return {size: arguments} of the calls of a function while a script runs, the first call of each size.

    The size is the number of elements of the largest argument. Raise Refusal if the script never calls the function.
    """
    code, calls, problem = function.__code__, {}, f"it does not call {function.__name__}"

    def look(frame, event, _):
        if event == "call" and frame.f_code == code:  # of the same text, for a script that defines the function, too
            given = tuple(frame.f_locals[name] for name in inspect.signature(function).parameters)
            size = max((value.size for value in given if isinstance(value, np.ndarray)), default=1)
            if size not in calls and len(calls) < MOST_SIZES:
                calls[size] = copy.deepcopy(given)

    sys.argv = [script]
    sys.path.insert(0, str(Path(script).resolve().parent))
    sys.setprofile(look)
    try:
        runpy.run_path(script, run_name="__main__")
    except (Exception, SystemExit) as error:
        problem = f"it ends with {type(error).__name__}: {error}"
    finally:
        sys.setprofile(None)
    if not calls:
        raise Refusal(f"no arguments are found in {script}: {problem}. Correct it, or use --args")
    return dict(sorted(calls.items()))
