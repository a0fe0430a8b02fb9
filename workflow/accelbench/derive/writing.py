"""The files of a derived kernel folder, as text."""

import json
import re
from dataclasses import dataclass, field, replace

from accelbench.errors import InputError
from accelbench.kernels.specification import ARGUMENTS

KERNEL = '''"""{title}, as `accelbench try` derived it from {file}.

The reference is the normal form of the function, run by NumPy. Digests of the files that it was derived from:
{digests}.

{original}
"""

{code}

{functions}


KERNEL = Kernel(
    title="{title}",
    size="{size}",
    sizes=dict.fromkeys(("smoke", "default", "lecture"), {sizes}),
    dtypes=("{dtype}",),
    baseline="numpy_derived",
    check_sizes={sizes},
    smallest={smallest},
    any_size=False,
    mixable=False,
)
SHAPES = {shapes}  # of the results, by size
TOLERANCES = {tolerances}  # relative to the largest element: {margin} times what rounding alone changes
BYTES = {nbytes}  # of all arrays


def inputs(size, dtype, rng):
{inputs}


def outputs(size, dtype):
    shapes = SHAPES.get(size)
    if shapes is None:
        shapes = [np.shape(r) for r in results(size, **inputs(size, dtype, np.random.default_rng(0)))]
    return ({outputs},)


def reference({names}, size):
    return results(size, {names})


def results(size, {names}):
{results}


def tolerance(expected, size):
    scale = TOLERANCES[min(TOLERANCES, key=lambda known: abs(known - size))]
    several = expected if isinstance(expected, tuple) else (expected,)
    largest = [np.max(np.abs(r), initial=0.0, where=np.isfinite(r)) for r in map(np.asarray, several)]
    bounds = [0.0 if np.asarray(r).dtype.kind in "biu" else scale * (m or 1.0) for r, m in zip(several, largest)]
    return tuple(bounds)


def footprint_bytes(size, itemsize):
    return np.interp(size, list(BYTES), list(BYTES.values()))
'''


THREADS = 'PARAMETERS = ("threads",)'  # of an implementation that uses as many as it is given
IMPORTS = "import numpy as np\n\nfrom accelbench.kernel import Kernel, Output"


@dataclass
class Draft:
    """The text of an implementation that may be right.

    name   of the implementation; suffix: of its file
    body   the file below its docstring; head: lines above that
    lines  {line of the body, or of the source beside it: line of the normal form}
    label  what sets it apart from other drafts of the same contestant
    extra  {file name: text} of sources beside it
    """

    name: str
    title: str
    body: str
    lines: dict[int, int] = field(default_factory=dict)
    suffix: str = ".py"
    label: str = "as it is"
    head: str = ""
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def text(self):
        return f'{self.head}"""{self.title}"""\n\n{self.body}\n'

    def normal_line(self, line, file):
        """Return the line of the normal form that a line of the file, or of a source beside it, was derived from."""
        return self.lines.get(line if file in self.extra else line - self.head.count("\n") - 2)


def kernel_name(observation):
    """Return the name of the kernel folder."""
    return re.sub(r"\W", "_", observation.name.strip("_").lower()).lstrip("0123456789") or "function"


def library(module):
    """Whether a module is NumPy's or SciPy's."""
    return (module or "").partition(".")[0] in ("numpy", "scipy")


def input_name(name):
    """Return what the kernel calls an input; some names mean something else there."""
    return f"{name}_" if name in ARGUMENTS else name


def value(parameter, size="size"):
    """Return the expression of a constant argument: its text, the size, or a table by size."""
    texts = set(parameter.values.values())
    if all(text == str(number) for number, text in parameter.values.items()):
        return size
    if len(texts) == 1:
        return texts.pop()
    return "{" + ", ".join(f"{number}: {text}" for number, text in parameter.values.items()) + f"}}[{size}]"


def call(observation, *, size="size", function=None, after="_after"):
    """Return the call of the function as text; `after` ends the name of an argument that it changes."""
    given = []
    for each in observation.parameters:
        copied = each.name in observation.changed and after
        named = f"{each.name}{after}" if copied else input_name(each.name)
        given.append(value(each, size) if each.kind == "constant" else named)
    return f"{function or observation.name}({', '.join(given)})"


def returned(observation):
    """Return the expression of all results, where `r` is what the function returned."""
    paths = [each.path or each.name for each in observation.results]
    return "r" if paths == [f"r[{index}]" for index in range(len(paths))] else ", ".join(paths)


def function(observation, steps, before=""):
    """Return the lines of `run` with these statements, or of a `prepare` that returns it."""
    names = [input_name(each.name) for each in observation.inputs]
    names += [each.name for each in observation.results if each.ndim]
    lines = [f"def run({', '.join(names)}):", *(f"    {step}" for step in steps)]
    if before or any("case.size" in step for step in steps):
        lines = ["def prepare(case):", *(f"    {line}" for line in [*filter(None, [before]), *lines, "return run"])]
    return "\n".join(lines)


def run(observation, *, called=None, copies="{after}[...] = {name}", before=""):
    """Return the lines of a `run` that calls the function, or `called` in its place.

    copies  the statement that copies an argument which the call changes
    """
    steps = [copies.format(name=input_name(name), after=f"{name}_after") for name in observation.changed]
    steps += [f"r = {call(observation, size='case.size', function=called)}", f"return {returned(observation)}"]
    return function(observation, steps, before)


def module(*parts):
    """Join parts of a file: two blank lines between them."""
    return "\n\n\n".join(part.strip("\n") for part in parts if part)


def numpy_derived(observation):
    """Return the Draft of the baseline."""
    body, lines = module(observation.text, run(observation)), observation.text.count("\n") + 1
    title = f"NumPy: {observation.name} as it was written."
    return Draft("numpy_derived", title, body, {line: line for line in range(1, lines + 1)})


def kernel(observation, margin):
    """Return the text of kernel.py."""
    inputs, facts = observation.inputs, observation.sizes
    if not inputs:
        raise InputError(observation.file, "no argument is an array or a float", "Pass the data as arguments")
    floats = [each.dtype for each in (*inputs, *observation.results) if is_float(each.dtype)]
    steps = [f"{name}_after = {input_name(name)}.copy()" for name in observation.changed]
    steps += [f"r = {call(observation)}", f"return ({', '.join(r.path or r.name for r in observation.results)},)"]
    return KERNEL.format(
        title=observation.name,
        file=observation.files[0],
        digests=", ".join(f"{name} {digest[:12]}" for name, digest in observation.digests.items()),
        original="\n".join(f"    {line}".rstrip() for line in _quoted(observation.original).splitlines()),
        code=observation.code.replace("import numpy as np", IMPORTS, 1),
        functions="\n".join(line for line in observation.text.splitlines() if line != "import numpy as np"),
        size="n" if observation.scales else "elements of the largest argument, as given",
        sizes=tuple(facts),
        smallest=min(facts),
        dtype=floats[0] if floats else observation.results[0].dtype,
        shapes={size: each.shapes for size, each in facts.items()},
        tolerances={size: float(f"{each.tolerance:.2g}") for size, each in facts.items()},
        nbytes={size: each.nbytes for size, each in sorted(facts.items())},
        margin=margin,
        inputs=_inputs(observation),
        outputs=", ".join(
            f'Output("{each.name}", tuple(shapes[{index}]), "{each.dtype}")'
            for index, each in enumerate(observation.results)
        ),
        names=", ".join(input_name(each.name) for each in inputs),
        results="\n".join(f"    {step}" for step in steps),
    )


def _quoted(text):
    """Return a text as a docstring can hold it."""
    return text.replace("\\", "\\\\").replace('"""', "'''")


def is_float(dtype):
    """Whether a dtype, by its name, is rounded."""
    return dtype.startswith(("float", "complex"))


def _inputs(observation):
    """Return the lines of the kernel's `inputs`."""
    lines = [f"given = arguments(size, {'np.random.default_rng(0)' if observation.frozen else 'rng'})"]
    if observation.scaled:
        lines.append("factor = 1 + rng.integers(8) / 1024  # the data are the same in every draw")
    lines.append("return {")
    for each in observation.inputs:
        taken = f"np.{each.dtype}({each.path})" if each.kind == "number" else f"np.ascontiguousarray({each.path})"
        scaled = f"np.{each.dtype}(factor) * " if observation.scaled and is_float(each.dtype) else ""
        lines.append(f'    "{input_name(each.name)}": {scaled}{taken},')
    return "\n".join(f"    {line}" for line in [*lines, "}"])


def refused(draft, reason):
    """Return a Draft that says why the contestant cannot be taken, in place of the code that did not do."""
    said = json.dumps(reason, ensure_ascii=False)
    return replace(draft, body=f"def prepare(case):\n    raise NotImplementedError({said})", extra={})
