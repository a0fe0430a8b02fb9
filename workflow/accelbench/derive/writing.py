"""Texts of the files of a derived kernel folder, and templates of texts for the terminal."""

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from jinja2 import Environment, PackageLoader

from accelbench.derive import rewriting
from accelbench.store import files

THREADS = 'PARAMETERS = ("threads",)'  # Line of an implementation that uses several threads


@dataclass
class Draft:
    """Text of an implementation before its check.

    name    name of the implementation
    lines   {line of the source file that is compiled: line in the user's file}
    extra   {file name: text} of further source files
    suffix  suffix of the file's name
    guard   code that is added to the file only during the check
    """

    name: str
    text: str
    lines: dict[int, int]
    suffix: str = ".py"
    extra: dict[str, str] = field(default_factory=dict)
    guard: str = ""


def draft(name, title, module, *parts, head="", imports="", **rest):
    """Return a Draft with the code of a module.

    title    docstring of the file
    parts    texts below the module's code
    head     text above the title
    imports  import statements to add to the module
    """
    module.body[:0] = rewriting.parsed(imports, module)
    code, lines = rewriting.written(module)
    top = f'{head}"""{title}"""\n\n'
    text = "\n\n\n".join(part.strip("\n") for part in (code, *parts) if part)
    return Draft(
        name, f"{top}{text}\n", {top.count("\n") + line: user_line for line, user_line in lines.items()}, **rest
    )


def filled(template, **facts):
    """Return the text of a template of this package, filled with `facts`."""
    environment = Environment(loader=PackageLoader("accelbench.derive"), trim_blocks=True, lstrip_blocks=True)
    return environment.get_template(f"{template}.jinja").render(facts)


def kernel_name(observation):
    return re.sub(r"\W", "_", observation.name.strip("_").lower()).lstrip("0123456789") or "function"


def run(observation, *, function=None, before="", within="", changed=None):
    """Return the text of an implementation's function `run`, or of a function `prepare` that returns `run`.

    function  name of the function that `run` calls; the name of the user's function if None
    before    statement of `prepare` above the definition of `run`
    within    text in front of the statement that contains the call, such as a `with` clause
    changed   names of changed parameters, if the function returns their new values after its result
    """
    paths = [output.path for output in observation.results]
    returned = "r" if paths == [f"r[{index}]" for index in range(len(paths))] else ", ".join(paths)
    facts = {"function": function or observation.name, "before": before, "within": within, "changed": changed}
    return filled("run", o=observation, returned=returned, **facts)


def numpy_derived(observation):
    """Return the Draft of the baseline, which is the user's function in NumPy."""
    return draft(
        "numpy_derived",
        f"NumPy: {observation.name} as it was written.",
        rewriting.tree(observation),
        run(observation),
    )


def kernel(observation, margin):
    """Return the text of kernel.py."""
    dtypes = [operand.dtype for operand in (*observation.inputs, *observation.results) if operand.dtype[0] in "fc"]
    dtype, file = [*dtypes, observation.results[0].dtype][0], Path(observation.files[0]).name
    facts = {
        "o": observation,
        "inputs": observation.inputs,
        "of_sizes": tuple(observation.sizes),
        "digests": {Path(path).name: files.digest(Path(path).read_text("utf-8"))[:12] for path in observation.files},
    }
    return filled("kernel.py", margin=margin, dtype=dtype, file=file, **vars(observation) | facts) + "\n"


def refused(draft, reason):
    """Return a copy of a Draft whose code only raises NotImplementedError with a reason."""
    title, message = draft.text.partition('"""\n')[0], json.dumps(reason, ensure_ascii=False)
    text = f'{title}"""\n\n\ndef prepare(case):\n    raise NotImplementedError({message})\n'
    return replace(draft, text=text, extra={})
