"""The files of a derived kernel folder, as text."""

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from jinja2 import Environment, PackageLoader

from accelbench.derive import rewriting
from accelbench.errors import InputError

THREADS = 'PARAMETERS = ("threads",)'  # line of an implementation that uses all threads that it is given


@dataclass
class Draft:
    """Text of an implementation before its check.

    name   of the implementation; suffix: of its file
    lines  {line of the file, or of the source beside it: the user's line}
    extra  {file name: text} of sources beside it
    guard  code that only the check adds to the file
    """

    name: str
    text: str
    lines: dict[int, int]
    suffix: str = ".py"
    extra: dict[str, str] = field(default_factory=dict)
    guard: str = ""


def draft(name, title, module, *parts, head="", imports="", **rest):
    """Return a Draft of a module, which gets further `imports`, and of further parts of its file.

    head  text above the title
    """
    module.body[:0] = rewriting.parsed(imports, module)
    code, lines = rewriting.written(module)
    top = f'{head}"""{title}"""\n\n'
    text = "\n\n\n".join(part.strip("\n") for part in (code, *parts) if part)
    return Draft(name, f"{top}{text}\n", {top.count("\n") + line: own for line, own in lines.items()}, **rest)


def filled(template, **facts):
    """Return the text of a template of this package."""
    environment = Environment(loader=PackageLoader("accelbench.derive"), trim_blocks=True, lstrip_blocks=True)
    return environment.get_template(f"{template}.jinja").render(facts)


def kernel_name(observation):
    """Return the name of the kernel folder."""
    return re.sub(r"\W", "_", observation.name.strip("_").lower()).lstrip("0123456789") or "function"


def value(parameter, size="size"):
    """Return the expression of a constant argument: its text, the size, or a table by size."""
    texts = set(parameter.texts.values())
    if all(text == str(number) for number, text in parameter.texts.items()):
        return size
    table = ", ".join(f"{number}: {text}" for number, text in parameter.texts.items())
    return texts.pop() if len(texts) == 1 else f"{{{table}}}[{size}]"


def call(observation, *, size="size", function=None, after="_after"):
    """Return the call of the function as text; `after` ends the name of an argument that it changes."""
    changed = observation.changed if after else ()
    names = {p.name: f"{p.name}{after}" if p.name in changed else p.input_name for p in observation.parameters}
    given = [value(each, size) if each.texts else names[each.name] for each in observation.parameters]
    return f"{function or observation.name}({', '.join(given)})"


def returned(observation):
    """Return the expression of all results, where `r` is what the function returned."""
    paths = [each.path or each.name for each in observation.results]
    return "r" if paths == [f"r[{index}]" for index in range(len(paths))] else ", ".join(paths)


def steps(observation, *, function=None):
    """Return the statements of a `run` that calls the function, or `function` in its place."""
    copies = [f"{p.name}_after[...] = {p.input_name}" for p in observation.inputs if p.name in observation.changed]
    return [*copies, f"r = {call(observation, size='case.size', function=function)}", f"return {returned(observation)}"]


def run(observation, own=(), before=""):
    """Return the lines of `run`, or of a `prepare` that returns it; `own` are its statements if it does not call the
    function itself."""
    body = own or steps(observation)
    names = [each.input_name for each in observation.inputs]
    names += [each.name for each in observation.results if each.ndim]
    lines = [f"def run({', '.join(names)}):", *(f"    {step}" for step in body)]
    if before or any("case.size" in step for step in body):
        lines = ["def prepare(case):", *(f"    {line}" for line in [*filter(None, [before]), *lines, "return run"])]
    return "\n".join(lines)


def numpy_derived(observation):
    """Return the Draft of the baseline."""
    title = f"NumPy: {observation.name} as it was written."
    return draft("numpy_derived", title, rewriting.tree(observation), run(observation))


def kernel(observation, margin):
    """Return the text of kernel.py."""
    if not observation.inputs:
        raise InputError(observation.files[0], "no argument is an array or a float", "Pass the data as arguments")
    dtypes = [each.dtype for each in (*observation.inputs, *observation.results) if each.dtype[0] in "fc"]
    facts = {"file": Path(observation.files[0]).name, "inputs": observation.inputs, "call": call(observation)}
    facts |= {"of_sizes": tuple(observation.sizes), "dtype": [*dtypes, observation.results[0].dtype][0]}
    return filled("kernel.py", margin=margin, **vars(observation) | facts) + "\n"


def refused(draft, reason):
    """Return a Draft that raises NotImplementedError with a reason, in place of the refused code."""
    title, said = draft.text.partition('"""\n')[0], json.dumps(reason, ensure_ascii=False)
    text = f'{title}"""\n\n\ndef prepare(case):\n    raise NotImplementedError({said})\n'
    return replace(draft, text=text, extra={})
