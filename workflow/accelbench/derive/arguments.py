"""Arguments of the user's function: code for the function `arguments` in kernel.py, or values from a script."""

import ast
import copy
import inspect
import runpy
import sys
from pathlib import Path

import numpy as np

from accelbench.derive.source import Refusal

MOST_SIZES = 5  # Maximum number of sizes that are captured from a script
CALLS = "calls.pickle"  # File beside kernel.py with {size: arguments} of captured calls
CAPTURED = f'''import pickle
from pathlib import Path

import numpy as np

calls = pickle.loads(Path(__file__).with_name("{CALLS}").read_bytes())  # arguments, with the size as key


def arguments(n, rng):
    """Return the arguments of the call that was captured for this size."""
    return calls[n]'''
CODE = '''import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, {folder!r})  # the folder from which Python imports the function's module
{imports}


def arguments_of_{name}({parameters}):
    """Return the arguments of a call of {name} in order."""
    return ({names},)


def arguments(n, rng):
    """Return the arguments of one call; `n` is the size."""
{body}'''


def code(module, folder, function, *, main, request):
    """Return (code for kernel.py that makes the arguments of a function, whether the arguments depend on the size).

    module  module of the function
    folder  folder from which the module is imported
    main    ast.FunctionDef of the function

    Raise Refusal if --args or --setup is not valid Python.
    """
    try:
        body = ast.parse(f"{request.setup}\nreturn arguments_of_{main.name}({request.args})")
    except SyntaxError as error:
        given = "; ".join(filter(None, (request.setup, request.args)))
        raise Refusal(
            f"{given!r} is not valid Python: {error.msg}. Correct it. In a shell, put --args and --setup in quotes"
        ) from None
    used = [n for tree in (body, main.args) for n in ast.walk(tree) if isinstance(n, ast.Name)]
    words = sorted({node.id for node in used} - {"np", "n", "rng"})
    known = [f"from {module.__name__} import {word}" for word in words if hasattr(module, word)]
    known += [f"import {w}" for w in words if Path(folder, f"{w}.py").is_file() and not hasattr(module, w)]
    written = CODE.format(
        folder=str(folder),
        imports="\n".join(known),
        parameters=ast.unparse(main.args),
        name=main.name,
        names=", ".join(inspect.signature(function).parameters),
        body="\n".join(f"    {line}" for step in body.body for line in ast.unparse(step).splitlines()),
    )
    # The arguments depend on the size if the statements read `n` but never assign `n`.
    return written, {type(node.ctx) for node in used if node.id == "n"} == {ast.Load}


def capture(script, function):
    """Run a script. Return {size: arguments of the script's first call of a function at this size}.

    The size is the number of elements of the largest array among the arguments, or 1 if no argument is an array. The
    first MOST_SIZES sizes are captured. Raise Refusal if the script never calls the function.
    """
    code, calls, problem = function.__code__, {}, f"the script does not call {function.__name__}"

    def look(frame, event, _):
        if event == "call" and frame.f_code == code:  # not `is`: a script that defines the function creates it again
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
        problem = f"the script ends with {type(error).__name__}: {error}"
    finally:
        sys.setprofile(None)
    if not calls:
        raise Refusal(f"no arguments are found in {script}: {problem}. Correct the script, or use --args")
    return dict(sorted(calls.items()))
