"""Call the user's function in a process of its own, and observe what it returns, what it changes and how exact it is.

    python -m accelbench.derive.observation REQUEST ANSWER

reads a Request and writes an Observation, or {"refusal": "..."}. No other process runs the user's file.
"""

import copy
import math
import os
import pickle
import sys
import traceback
import types
import warnings
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
from pydantic import TypeAdapter

from accelbench.derive import arguments, capture, source, tolerance
from accelbench.derive.normal import normal_form
from accelbench.derive.rewriting import numbered
from accelbench.derive.source import Refusal
from accelbench.store import files

MARGIN = 16  # a right result may be off by so many times what rounding alone does
CHAOTIC = 1e-3  # a relative tolerance above which nothing can be checked
DRAWS, FEW_DRAWS, LONG_S = 4, 1, 0.25  # estimates of the tolerance; fewer if a call takes longer
NUMBERS = "biufc"  # NumPy's kinds of dtypes that can be measured
CONSTANTS = (bool, int, str, type(None), tuple, np.integer, np.bool_)


@dataclass(frozen=True)
class Request:
    """What is asked about a function: its file and name, the texts of --args and --setup, the sizes; or the script to
    capture its arguments from, and the file for these."""

    file: str
    function: str
    args: str = ""
    setup: str = ""
    sizes: tuple[int, ...] = ()
    script: str = ""
    calls: str = ""


@dataclass(frozen=True)
class Parameter:
    """A parameter of the normal form.

    path    the expression that takes it from the tuple `given` of all arguments
    kind    "array", "number" (with a fraction) or "constant"
    dtype   of an array or a number; the type of a constant; ndim: of an array
    values  {size: text of the value} of a constant
    """

    name: str
    path: str
    kind: str
    dtype: str
    ndim: int = 0
    values: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """An output: its name, the expression that takes it from the returned value `r` ("" for a changed argument)."""

    name: str
    path: str
    dtype: str
    ndim: int


@dataclass(frozen=True)
class AtSize:
    """What was observed at one size: seconds of a call, bytes of all arrays, shapes of results, relative tolerance,
    operations on arrays."""

    seconds: float
    nbytes: int
    shapes: tuple[tuple[int, ...], ...]
    tolerance: float
    operations: int


@dataclass(frozen=True)
class Observation:
    """Everything that contestants are derived from.

    text, lines  the normal form, and the user's line of each of its lines
    original     the user's source, for --explain
    code         Python that makes the arguments; digests: of the user's files
    changed      names of the parameters that the function changes in place
    scales       whether `n` is a size; scaled: whether other draws of the inputs are the same ones times a factor
    frozen       whether --args always gets the same random numbers, since shapes depend on them
    calls        the file with captured arguments, or ""
    """

    name: str
    file: str
    text: str
    original: str
    lines: dict[int, int]
    files: list[str]
    code: str
    digests: dict[str, str]
    parameters: list[Parameter]
    results: list[Result]
    changed: list[str]
    sizes: dict[int, AtSize]
    scales: bool
    scaled: bool
    frozen: bool
    calls: str
    notes: list[str]

    @property
    def inputs(self):
        """The parameters that the kernel gives as inputs."""
        return [each for each in self.parameters if each.kind != "constant"]

    @property
    def arrays(self):
        """The parameters that are arrays."""
        return [each for each in self.parameters if each.kind == "array"]

    @property
    def digits(self):
        """How many decimal digits of the results the inputs determine."""
        return math.floor(-math.log10(max(each.tolerance for each in self.sizes.values()) / MARGIN))


def leaves(value, path="r"):
    """Return [(expression, array)] of everything that a function returned."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [leaf for key, each in value.items() for leaf in leaves(each, f"{path}[{key!r}]")]
    try:
        array = np.array(value)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind in NUMBERS and not isinstance(value, tuple):
        return [(f"np.asarray({path})" if isinstance(value, list) else path, array)]
    if not isinstance(value, (tuple, list)):
        raise Refusal(f"it returns a {type(value).__name__}. Return arrays and numbers")
    return [leaf for index, each in enumerate(value) for leaf in leaves(each, f"{path}[{index}]")]


def at(path, given):
    """Return the argument that a path names, a list as an array."""
    value = eval(path, {"given": given})
    return np.asarray(value) if isinstance(value, list) else value


def scaled(given):
    """Return other inputs of the same kind: floats times 1 + 2**-10 keep their order, sign and definiteness."""
    return tolerance.mapped(given, lambda array: array * array.dtype.type(1 + 2**-10))


class Observer:
    """The function and its normal form, called with the same arguments."""

    def __init__(self, request):
        module, folder, function = source.load(request.file, request.function)
        is_method = "." in request.function
        self.request, self.folder, self.frozen, self.changed, self.captured = request, folder, False, [], {}
        self.original = partial(function, None) if is_method else function
        self.extract = source.extract(function, folder, is_method=is_method)
        self.text_of_original = self.extract.text()
        if request.script:
            self.captured = capture.capture(request.script, function)
            files.write(Path(request.calls), pickle.dumps(self.captured))
            self.code = arguments.CAPTURED
        else:
            self.code = arguments.code(module, folder, function, request=request)
        self._scope = types.ModuleType("arguments")
        self._scope.__file__ = request.calls
        exec(compile(self.code, "--args", "exec"), vars(self._scope))

    def draw(self, size, seed):
        """Return the arguments of one call."""
        try:
            return self._scope.arguments(size, np.random.default_rng(0 if self.frozen else seed))
        except Exception as error:
            raise Refusal(f"--args fails for n = {size}: {type(error).__name__}: {error}. Correct it") from error

    def prepare(self, given):
        """Make the normal form for arguments of these kinds."""
        self.normal = normal_form(self.extract, given)
        self.text, self.lines = numbered(self.normal.module)
        scope = {"__name__": "normal"}
        exec(compile(self.text, "normal form", "exec"), scope)
        self._function = scope[self.normal.name]

    def values(self, given):
        """Return the arguments of the normal form."""
        return [at(path, given) for path in self.normal.paths.values()]

    def results(self, given):
        """Return the results of the original as arrays: what it returns, then the arguments that it changes."""
        own = copy.deepcopy(given)
        try:
            returned = self.original(*own)
        except Exception as error:
            frames, file = traceback.extract_tb(error.__traceback__), Path(self.request.file).resolve()
            lines = [f" in line {each.lineno}" for each in frames if Path(each.filename) == file]
            raise Refusal(f"it fails{''.join(lines[-1:])}: {type(error).__name__}: {error}") from error
        return [array for _, array in self._with_changed(returned, self.values(own))]

    def _with_changed(self, returned, values):
        after = dict(zip(self.normal.paths, values, strict=True))
        return [*leaves(returned), *(("", np.array(after[name])) for name in self.changed)]

    def normal_leaves(self, values):
        """Return [(expression, array)] of the same results of the normal form; it may change `values`."""
        return self._with_changed(self._function(*values), values)

    def normal_results(self, values):
        """Return the results of the normal form as arrays; it may change `values`."""
        return [array for _, array in self.normal_leaves(values)]

    def find_changed(self, given):
        """Note the arguments that change with these inputs, with scaled ones and with jittered ones."""
        rng, found = np.random.default_rng(3), set()
        for other in (given, scaled(given), tolerance.mapped(given, lambda a: tolerance.jitter(a, rng))):
            own = copy.deepcopy(other)
            try:
                self.original(*own)
            except Exception:  # the given arguments worked; others need not be valid
                continue
            pairs = zip(self.normal.paths, self.values(other), self.values(own), strict=True)
            found |= {name for name, one, two in pairs if _bytes(one) != _bytes(two)}
        self.changed = [name for name in self.normal.paths if name in found]


def _bytes(value):
    return value.tobytes() if isinstance(value, np.ndarray) else None


def observe(request):
    """Return the Observation that answers a Request; Refusal says why there is none."""
    observer = Observer(request)
    uses_n, sizes = arguments.uses_n(request), tuple(observer.captured) or request.sizes
    if uses_n and not sizes:
        raise Refusal("--args uses n. Give sizes: --size 1000 100000")
    first = observer.draw(sizes[0] if sizes else 1, 0)
    observer.prepare(first)
    if not (uses_n or observer.captured):
        sizes = (max(1, max((np.size(value) for value in observer.values(first)), default=1)),)
    if [*map(_bytes, observer.results(first))] != [*map(_bytes, observer.results(first))]:
        raise Refusal("two calls with the same arguments differ: it is random. Pass the random numbers as an argument")
    observer.find_changed(first)
    fixed = _choose_draws(observer, sizes[0])
    found = {size: _at_size(observer, size, fixed=fixed) for size in sizes}
    results = observer.normal_leaves(copy.deepcopy(observer.values(observer.draw(sizes[0], 0))))
    if not results:
        raise Refusal("it returns nothing and changes no argument. Return the result")
    return Observation(
        name=observer.normal.name,
        file=str(Path(request.file).resolve()),
        text=observer.text,
        original=observer.text_of_original,
        lines=observer.lines,
        files=observer.extract.files,
        code=observer.code,
        digests={file.name: files.digest(file.read_text()) for file in arguments.modules_used(observer.folder)},
        parameters=_parameters(observer, sizes),
        results=_named(observer, results),
        changed=observer.changed,
        sizes=found,
        scales=uses_n,
        scaled=fixed,
        frozen=observer.frozen,
        calls=request.calls if observer.captured else "",
        notes=observer.normal.notes,
    )


def _choose_draws(observer, size):
    """Return whether other draws must be made by scaling; they are frozen first if shapes depend on them."""

    def shapes(given):
        return [np.shape(each) for each in (*observer.results(given), *observer.values(given))]

    one, two = observer.draw(size, 0), observer.draw(size, 1)
    observer.frozen = shapes(one) != shapes(two)
    two = observer.draw(size, 1)
    if [*map(_bytes, observer.values(one))] != [*map(_bytes, observer.values(two))]:
        return False
    try:
        return shapes(scaled(one)) == shapes(one)
    except Refusal:
        return False


def _at_size(observer, size, *, fixed):
    """Return what is observed at one size, the normal form being right for two draws of the arguments."""
    given = observer.draw(size, 0)
    begin = perf_counter()
    expected = observer.results(given)
    seconds, values = perf_counter() - begin, observer.values(given)
    draws = DRAWS if seconds < LONG_S else FEW_DRAWS
    before = tolerance.NoisyArray.operations
    allowed = MARGIN * tolerance.scale(observer.normal_results, values, expected, draws=draws)
    operations = (tolerance.NoisyArray.operations - before) // draws
    if allowed > CHAOTIC:
        lost = f"rounding alone changes its results by {allowed / MARGIN:.1g} of their size (n = {size})"
        raise Refusal(f"no check is possible at these inputs: {lost}. Choose fewer steps or smoother inputs")
    for each in (given, scaled(given) if fixed else observer.draw(size, 1)):
        own = copy.deepcopy(observer.values(each))
        begin = perf_counter()
        try:
            results = observer.normal_results(own)
        except Exception as error:
            raise Refusal(f"its normal form fails: {type(error).__name__}: {error}. Report this function") from error
        seconds = min(seconds, perf_counter() - begin)
        if not tolerance.distance(results, observer.results(each)) <= allowed:
            raise Refusal("its normal form computes something else. Report this function")
    nbytes = sum(np.asarray(each).nbytes for each in (*values, *expected) if not isinstance(each, CONSTANTS))
    return AtSize(seconds, nbytes, tuple(each.shape for each in expected), allowed, operations)


def _parameters(observer, sizes):
    """Return the Parameters; Refusal for an argument that is neither array nor number nor constant."""
    found, draws = [], {size: observer.values(observer.draw(size, 0)) for size in sizes}
    for index, (name, path) in enumerate(observer.normal.paths.items()):
        values = {size: several[index] for size, several in draws.items()}
        value = values[sizes[0]]
        array = np.asarray(value)
        if isinstance(value, CONSTANTS):
            plain = {size: each.item() if isinstance(each, np.generic) else each for size, each in values.items()}
            texts = {size: repr(each) for size, each in plain.items()}
            found.append(Parameter(name, path, "constant", type(plain[sizes[0]]).__name__, values=texts))
        elif array.dtype.kind in NUMBERS:
            found.append(Parameter(name, path, "array" if array.ndim else "number", array.dtype.name, array.ndim))
        else:
            raise Refusal(f"the argument {name} is a {type(value).__name__}. Pass arrays and numbers")
    return found


def _named(observer, results):
    """Return the Results, called `result`, or `result_1` and so on; `x_after` for a changed argument."""
    count = len(results) - len(observer.changed)
    names = ["result"] if count == 1 else [f"result_{number}" for number in range(1, count + 1)]
    names = [f"{name}_" if name in observer.normal.paths else name for name in names]
    names += [f"{name}_after" for name in observer.changed]
    return [Result(n, path, a.dtype.name, a.ndim) for n, (path, a) in zip(names, results, strict=True)]


def main():
    """Answer the Request in one file with an Observation in another."""
    question, answer = map(Path, sys.argv[1:])
    request = TypeAdapter(Request).validate_json(question.read_bytes())
    warnings.simplefilter("ignore")
    try:
        found = TypeAdapter(Observation).dump_json(observe(request))
    except BaseException as error:
        refusal = str(error) if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"
        found = TypeAdapter(dict[str, str]).dump_json({"refusal": refusal})
    files.write(answer, found)
    os._exit(0)


if __name__ == "__main__":
    main()
