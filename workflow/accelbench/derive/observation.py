"""Call the user's function in a separate process, and observe its results, its changes and its accuracy.

    python -m accelbench.derive.observation REQUEST

prints, as JSON, the Observation that answers a Request, or why there is none. No other process runs the user's file.
"""

import contextlib
import copy
import math
import os
import pickle
import sys
from dataclasses import dataclass, field
from time import perf_counter
from types import SimpleNamespace

import numpy as np
from pydantic import TypeAdapter

from accelbench import discovery
from accelbench.derive import arguments, normal, rewriting, source, tolerance
from accelbench.kernels.specification import ARGUMENTS
from accelbench.store import files

MARGIN = 16  # tolerance, in multiples of the change by rounding alone
CHAOTIC = 1e-3  # relative tolerance above which no check is possible
DRAWS, FEW_DRAWS, LONG_S = 4, 1, 0.25  # numbers of estimates of the tolerance; FEW_DRAWS above LONG_S seconds
CONSTANTS = (bool, int, str, type(None), tuple, np.integer, np.bool_)


@dataclass(frozen=True)
class Request:
    """Question about a function: its file and name, the texts of --args and --setup, the sizes; or the script to
    capture its arguments from."""

    file: str
    function: str
    args: str = ""
    setup: str = ""
    sizes: tuple[int, ...] = ()
    script: str = ""


@dataclass(frozen=True)
class Value:
    """An argument of the normal form, or a result.

    path    the expression that takes it from `given`, the tuple of all arguments, or from the returned value `r`; the
            name of a result that is a changed argument
    dtype   of an array (ndim > 0) or a number; the type of a constant
    texts   {size: text of the value} of an argument that is a constant
    """

    name: str
    path: str
    dtype: str
    ndim: int = 0
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def input_name(self):
        """The name of the input in the kernel, where some names are reserved."""
        return f"{self.name}_" if self.name in ARGUMENTS else self.name


@dataclass(frozen=True)
class AtSize:
    """Observations at one size: seconds of a call, bytes of all arrays, shapes of results, relative tolerance,
    operations on arrays, elements read one by one."""

    seconds: float
    nbytes: int
    shapes: tuple[tuple[int, ...], ...]
    tolerance: float
    launches: int
    reads: int


@dataclass(frozen=True)
class Observation:
    """Everything that contestants are derived from.

    text, lines  the normal form, and the user's line of each of its lines
    original     the user's source, for --explain
    code         Python that makes the arguments; digests: of the user's files
    changed      names of the parameters that the function changes in place
    scales       whether `n` is a size; scaled: whether other draws of the inputs are the same ones times a factor
    frozen       whether --args always gets the same random numbers, since shapes depend on these numbers
    calls        the file with captured arguments, or ""
    """

    name: str
    text: str
    original: str
    lines: dict[int, int]
    files: list[str]
    code: str
    digests: dict[str, str]
    parameters: list[Value]
    results: list[Value]
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
        return [each for each in self.parameters if not each.texts]

    @property
    def arrays(self):
        """The parameters that are arrays."""
        return [each for each in self.inputs if each.ndim]

    @property
    def digits(self):
        """The number of decimal digits of the results that the inputs determine."""
        return max(0, math.floor(-math.log10(max(each.tolerance for each in self.sizes.values()) / MARGIN)))


ANSWER = TypeAdapter(Observation | str)


def leaves(value, path="r"):
    """Return [(expression, array)] of everything that a function returned."""
    if isinstance(value, (dict, tuple)) or (isinstance(value, list) and not normal.is_numeric(value)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [leaf for key, each in items for leaf in leaves(each, f"{path}[{key!r}]")]
    if value is not None and not normal.is_numeric(value):
        raise source.Refusal(f"it returns a {type(value).__name__}. Return arrays and numbers")
    return [] if value is None else [(f"np.asarray({path})" if isinstance(value, list) else path, np.array(value))]


def at(path, given):
    """Return the argument that a path names, a list as an array."""
    value = eval(path, {"given": given})
    return np.asarray(value) if isinstance(value, list) else value


def scaled(given):
    """Return other inputs of the same kind: floats times 1 + 2**-10 keep their order, sign and definiteness."""
    return tolerance.mapped(given, lambda array: array * array.dtype.type(1 + 2**-10))


def _bytes(values):
    return [value.tobytes() if isinstance(value, np.ndarray) else None for value in values]


class Observer:
    """The function and its normal form, called with the same arguments."""

    def __init__(self, request):
        module, self.folder, self._original = source.load(request.file, request.function)
        self.extract = source.extract(self._original, self.folder)
        self.frozen, self.changed, self.sizes, self.calls = False, [], request.sizes, ""
        if request.script:
            captured, self.code = arguments.capture(request.script, self._original), arguments.CAPTURED
            self.sizes, self.calls = tuple(captured), f"results/.derive/calls/{request.function}/{arguments.CALLS}"
            files.write(self.calls, pickle.dumps(captured))
        else:
            self.code = arguments.code(module, self.folder, self._original, request=request)

    def draw(self, size, seed):
        """Return the arguments of one call."""
        scope = SimpleNamespace(__file__=self.calls)  # captured arguments lie beside it
        try:
            exec(self.code, vars(scope))
            return scope.arguments(size, np.random.default_rng(0 if self.frozen else seed))
        except Exception as error:
            raise source.Refusal(f"--args fails for n = {size}: {type(error).__name__}: {error}. Correct it") from error

    def prepare(self, given):
        """Make the normal form for arguments of these kinds."""
        module, self.paths, self.notes = normal.normal_form(self.extract, given)
        self.name, (self.text, self.lines) = module.body[-1].name, rewriting.written(module)
        scope = {}
        exec(compile(self.text, "normal form", "exec"), scope)
        self._function = scope[self.name]

    def values(self, given):
        """Return the arguments of the normal form."""
        return [at(path, given) for path in self.paths.values()]

    def results(self, given):
        """Return the results of the original as arrays: what it returns, then the arguments that it changes."""
        own = copy.deepcopy(given)
        try:
            returned = self._original(*own)
        except Exception as error:
            where = discovery.line(self.extract.files[0], error).replace(":", " in line ")
            raise source.Refusal(f"it fails{where}: {type(error).__name__}: {error}") from error
        return [array for _, array in self._leaves(returned, self.values(own))]

    def normal_leaves(self, values):
        """Return [(expression, array)] of the same results of the normal form; it may change `values`."""
        return self._leaves(self._function(*values), values)

    def normal_results(self, values):
        """Return the results of the normal form as arrays; it may change `values`."""
        return [array for _, array in self.normal_leaves(values)]

    def _leaves(self, returned, values):
        after = dict(zip(self.paths, values, strict=True))
        return [*leaves(returned), *((f"{name}_after", np.array(after[name])) for name in self.changed)]

    def find_changed(self, given):
        """Note the arguments that change with these inputs, with scaled ones and with jittered ones."""
        rng, found = np.random.default_rng(3), set()
        for other in (given, scaled(given), tolerance.mapped(given, lambda a: tolerance.jitter(a, rng))):
            own = copy.deepcopy(other)
            with contextlib.suppress(Exception):  # the given arguments worked; others need not be valid
                self._original(*own)
                before, after = (_bytes(self.values(each)) for each in (other, own))
                found |= {name for name, one, two in zip(self.paths, before, after, strict=True) if one != two}
        self.changed = [name for name in self.paths if name in found]

    def shapes(self, given):
        """Return the shapes of results and arguments."""
        return [np.shape(each) for each in (*self.results(given), *self.values(given))]

    def is_scaled(self, size):
        """Return whether other draws must be scaled inputs. Freeze the random numbers if shapes depend on them."""
        one, two = self.draw(size, 0), self.draw(size, 1)
        self.frozen = self.shapes(one) != self.shapes(two)
        if not self.frozen and _bytes(self.values(one)) != _bytes(self.values(two)):
            return False
        with contextlib.suppress(source.Refusal):
            return self.shapes(scaled(one)) == self.shapes(one)
        return False


def observe(request):
    """Return the Observation that answers a Request; raise Refusal with the reason if there is none."""
    observer = Observer(request)
    uses_n, sizes = arguments.uses_n(request), observer.sizes
    if uses_n and not sizes:
        raise source.Refusal("--args uses n. Give sizes: --size 1000 100000")
    first = observer.draw(sizes[0] if sizes else 1, 0)
    observer.prepare(first)
    if not (uses_n or request.script):
        sizes = (max(1, max((np.size(value) for value in observer.values(first)), default=1)),)
    if _bytes(observer.results(first)) != _bytes(observer.results(first)):
        raise source.Refusal(
            "two calls with the same arguments differ: it is random. Pass the random numbers as an argument"
        )
    observer.find_changed(first)
    is_scaled = observer.is_scaled(sizes[0])
    return Observation(
        name=observer.name,
        text=observer.text,
        original="\n\n".join(reversed(observer.extract.texts)),
        lines=observer.lines,
        files=observer.extract.files,
        code=observer.code,
        digests={file.name: files.digest(file.read_text()) for file in arguments.modules_used(observer.folder)},
        parameters=_parameters(observer, sizes),
        results=_results(observer, observer.normal_leaves(observer.values(observer.draw(sizes[0], 0)))),
        changed=observer.changed,
        sizes={size: _at_size(observer, size, is_scaled=is_scaled) for size in sizes},
        scales=uses_n,
        scaled=is_scaled,
        frozen=observer.frozen,
        calls=observer.calls,
        notes=observer.notes,
    )


def _at_size(observer, size, *, is_scaled):
    """Return the AtSize of one size; raise Refusal if the normal form is wrong for one of two draws."""
    given = observer.draw(size, 0)
    begin = perf_counter()
    expected = observer.results(given)
    seconds, values = perf_counter() - begin, observer.values(given)
    draws = DRAWS if seconds < LONG_S else FEW_DRAWS
    tolerance.Noisy.launches = tolerance.Noisy.reads = 0
    allowed = MARGIN * tolerance.scale(observer.normal_results, values, expected, draws=draws)
    if allowed > CHAOTIC:
        raise source.Refusal(
            f"no check is possible at these inputs: rounding alone changes its results by {allowed / MARGIN:.1g} of "
            f"their size (n = {size}). Choose fewer steps or smoother inputs"
        )
    for each in (given, scaled(given) if is_scaled else observer.draw(size, 1)):
        try:
            results = observer.normal_results(copy.deepcopy(observer.values(each)))
        except Exception as error:
            raise source.Refusal(
                f"its normal form fails: {type(error).__name__}: {error}. Report this function"
            ) from error
        if not tolerance.distance(results, observer.results(each)) <= allowed:
            raise source.Refusal("its normal form computes something else. Report this function")
    return AtSize(
        seconds=seconds,
        nbytes=sum(np.asarray(each).nbytes for each in (*values, *expected) if not isinstance(each, CONSTANTS)),
        shapes=tuple(each.shape for each in expected),
        tolerance=allowed,
        launches=tolerance.Noisy.launches // draws,
        reads=tolerance.Noisy.reads // draws,
    )


def _parameters(observer, sizes):
    """Return the arguments; raise Refusal for one that is neither array nor number nor constant."""
    found, draws = [], zip(*(observer.values(observer.draw(size, 0)) for size in sizes), strict=True)
    for (name, path), values in zip(observer.paths.items(), draws, strict=True):
        array = np.asarray(values[0])
        if isinstance(values[0], CONSTANTS):
            plain = [each.item() if isinstance(each, np.generic) else each for each in values]
            texts = dict(zip(sizes, map(repr, plain), strict=True))
            found.append(Value(name, path, type(plain[0]).__name__, texts=texts))
        elif array.dtype.kind in normal.NUMBERS:
            found.append(Value(name, path, array.dtype.name, array.ndim))
        else:
            raise source.Refusal(f"the argument {name} is a {type(values[0]).__name__}. Pass arrays and numbers")
    return found


def _results(observer, found):
    """Return the results, called `result`, or `result_1` and so on; `x_after` for a changed argument."""
    if not found:
        raise source.Refusal("it returns nothing and changes no argument. Return the result")
    count = len(found) - len(observer.changed)
    own = ["result"] if count == 1 else [f"result_{number}" for number in range(1, count + 1)]
    names = [*(f"{name}_" if name in observer.paths else name for name in own), *(path for path, _ in found[count:])]
    return [Value(name, path, a.dtype.name, a.ndim) for name, (path, a) in zip(names, found, strict=True)]


def main():
    """Print what answers the Request on the command line."""
    try:
        found = observe(TypeAdapter(Request).validate_json(sys.argv[1]))
    except BaseException as error:
        found = str(error) if isinstance(error, source.Refusal) else f"{type(error).__name__}: {error}"
    print("\n" + ANSWER.dump_json(found).decode(), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
