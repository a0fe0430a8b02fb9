"""Write the arguments of a call as Python: the functions `signature` and `arguments` of a kernel.py."""

import ast
import builtins
import importlib.util
import inspect
import sys
from pathlib import Path

from accelbench.derive.source import Refusal

CALLS = "calls.pickle"  # {size: arguments} of captured calls, beside kernel.py
CAPTURED = f'''import pickle
from pathlib import Path

import numpy as np

calls = pickle.loads(Path(__file__).with_name("{CALLS}").read_bytes())  # by size


def arguments(n, rng):
    """Return the arguments of the call that was captured for this size."""
    return calls[n]'''
CODE = '''{imports}


def signature({parameters}):
    """Return the arguments of a call of {name} in order."""
    return ({names},)


def arguments(n, rng):
    """Return the arguments of one call; `n` is the size."""
{body}'''


def _names(text, context):
    """Return the names that Python reads (ast.Load) or defines (ast.Store), imports and parameters among these."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            found.append(node.id)
        elif context is ast.Store and isinstance(node, ast.arg):
            found.append(node.arg)
        elif context is ast.Store and isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [each.asname or each.name.partition(".")[0] for each in node.names]
    return list(dict.fromkeys(found))


def uses_n(request):
    """Whether the arguments depend on the size."""
    return "n" in _names(f"{request.setup}\n_({request.args})", ast.Load)


def code(module, folder, function, *, request):
    """Return the lines of a kernel.py that make the arguments of a function; Refusal if they cannot.

    module, folder  the function's module, and where it is imported from
    """
    text = f"{request.setup}\n_({request.args})"
    try:
        steps = ast.parse(request.setup).body
        imports = _imports(module, text)
    except SyntaxError as error:
        raise Refusal(f"{text.strip()!r} is no Python: {error.msg}. Quote --args and --setup for the shell") from None
    parameters = [each for name, each in inspect.signature(function).parameters.items() if name != "self"]
    defaults = (p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters)
    head = ["import numpy as np"]
    if imports or any(isinstance(step, (ast.Import, ast.ImportFrom)) for step in steps):
        path = f"sys.path.insert(0, {str(folder)!r})  # what the arguments are made with"
        head = ["import sys", "", *head, "", path, *imports]
    body = [f"    {line}" for step in steps for line in ast.unparse(step).splitlines()]
    return CODE.format(
        imports="\n".join(head),
        name=function.__name__,
        names=", ".join(each.name for each in parameters),
        parameters=", ".join(defaults),
        body="\n".join([*body, f"    return signature({request.args})"]),
    )


def _imports(module, text):
    """Return import lines for the names of a text that neither Python nor the text itself defines."""
    lines, known = [], {"np", "rng", "n", "_", *_names(text, ast.Store), *vars(builtins)}
    for name in _names(text, ast.Load):
        if name not in known:
            if not hasattr(module, name) and not importlib.util.find_spec(name):
                raise Refusal(f"--args uses {name}. Define it with --setup or in {Path(module.__file__).name}")
            lines.append(f"from {module.__name__} import {name}" if hasattr(module, name) else f"import {name}")
    return lines


def modules_used(folder):
    """Return the files of the modules that were imported from a folder, sorted."""
    names = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    found = {Path(name).resolve() for name in names if name}
    return sorted(file for file in found if file.is_relative_to(folder) and "site-packages" not in file.parts)
