"""Observation of the user's function: its results, changed arguments and accuracy.

A separate process calls the function, with a time limit and a memory limit:

    python -m accelbench.derive.observation REQUEST

This command prints the Observation as JSON, or the reason why there is none. The process that starts the command never
runs the user's file.
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

from accelbench.derive import arguments, normal, rewriting, source, tolerance
from accelbench.errors import InputError
from accelbench.kernels.specification import ARGUMENTS
from accelbench.processes.supervision import ask, with_package
from accelbench.store import files

DEADLINE_S, MEMORY_BYTES = 120.0, 16 << 30  # Limits of the separate process, which makes at most 24 calls at each size
CHAOTIC = 1e-3  # Relative tolerance above which no check is possible
# Number of random draws for each estimate of the tolerance: DRAWS, or FEW_DRAWS if a call takes at least LONG_S seconds
DRAWS, FEW_DRAWS, LONG_S = 4, 1, 0.1
REPORT = "Report this function as a bug of accelbench"  # Remedy in messages about a bug of this package
CONSTANTS = (bool, int, str, type(None), tuple, np.integer, np.bool_)


@dataclass(frozen=True)
class Request:
    """Request for an Observation of a function: its file, its name, and --args, --setup and sizes, or a script."""

    file: str
    function: str
    args: str = ""
    setup: str = ""
    sizes: tuple[int, ...] = ()
    script: str = ""


@dataclass(frozen=True)
class Value:
    """An argument or a result of the user's function in its normal form, without containers such as dictionaries.

    path    expression that takes the value out of `given`, the tuple of all arguments, or out of `r`, the returned
            value. An argument `x` that the function changes is also a result, with the path `x_after`
    dtype   dtype of an array (ndim > 0) or a number; type of a constant
    texts   {size: text of the value} if the argument is a constant
    """

    name: str
    path: str
    dtype: str
    ndim: int = 0
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def input_name(self):
        """Name of the input in the kernel, with an underscore at the end if the name is reserved."""
        return f"{self.name}_" if self.name in ARGUMENTS else self.name


@dataclass(frozen=True)
class AtSize:
    """Facts about a function at one size: seconds per call, bytes of all arrays, shapes of results, relative tolerance.

    launches  number of operations on arrays in a call
    reads     number of array elements that a call reads one by one
    """

    seconds: float
    nbytes: int
    shapes: tuple[tuple[int, ...], ...]
    tolerance: float
    launches: int
    reads: int


@dataclass(frozen=True)
class Observation:
    """Facts about a function that are needed to derive implementations for all libraries.

    text      Python code of the normal form
    original  the user's source, for --explain
    lines     {line of `text`: line in the user's file}
    code      Python code that makes the arguments
    changed   names of the parameters that the function changes in place
    scales    whether the arguments depend on the size `n`
    scaled    whether checks get their further inputs by scaling the first inputs, not from other random numbers
    frozen    whether all inputs are made from the same random numbers, because arguments use no random numbers, or
              because shapes depend on random numbers
    calls     path of the file with captured arguments; "" if there is none
    """

    name: str
    text: str
    original: str
    lines: dict[int, int]
    files: list[str]
    code: str
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
        """Parameters that are inputs of the kernel."""
        return [parameter for parameter in self.parameters if not parameter.texts]

    @property
    def arrays(self):
        return [parameter for parameter in self.inputs if parameter.ndim]

    @property
    def digits(self):
        """Number of decimal digits of the results that rounding errors do not change."""
        return max(
            0, math.floor(-math.log10(max(at_size.tolerance for at_size in self.sizes.values()) / tolerance.MARGIN))
        )


ANSWER = TypeAdapter(Observation | str)


def request(target, *, args, setup, sizes, script=None):
    """Return the Request for a target FILE.py:FUNCTION with these options.

    Raise InputError if the target names no function, or if not exactly one of `args` and `script` is given.
    """
    file, _, function = target.rpartition(":")
    if not (file and function) or (args is None) == (script is None):
        raise InputError(
            target,
            "names no function"
            if not (file and function)
            else "no arguments for the function are given"
            if script is None
            else "the arguments of the function are given twice, by --args and by --from",
            'Write: FILE.py:FUNCTION --args "rng.random(n)" --size 1000, or: FILE.py:FUNCTION --from SCRIPT.py',
        )
    return Request(file, function, args or "", setup, tuple(sorted(set(sizes or ()))), str(script or ""))


def observe(request):
    """Return the Observation that a separate process makes for `request`. Raise InputError if there is none."""
    where, asked = f"{request.file}:{request.function}", TypeAdapter(Request).dump_json(request).decode()
    command = [sys.executable, "-m", "accelbench.derive.observation", asked]
    status, words = ask(command, DEADLINE_S, memory_bytes=MEMORY_BYTES, env=with_package(os.environ))
    if status != 0:
        how = f"did not end within {DEADLINE_S:g} s" if status is None else f"ended with status {status}"
        problem = f"the process that calls the function {how}: {words[-300:] or 'it printed nothing'}"
        raise InputError(where, problem, "Choose smaller sizes, or call the function in Python to see the reason")
    reply = ANSWER.validate_json(words.rpartition("\n")[2])  # the last line; the function may have printed others
    if isinstance(reply, str):
        problem, _, remedy = reply.rpartition(". ")
        raise InputError(where, problem, remedy)
    return reply


def leaves(value, path="r"):
    """Return [(expression, array)] of all arrays and numbers in a returned value."""
    if isinstance(value, (dict, tuple)) or (isinstance(value, list) and not normal.is_numeric(value)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [leaf for key, part in items for leaf in leaves(part, f"{path}[{key!r}]")]
    return [] if value is None else [(f"np.asarray({path})" if isinstance(value, list) else path, np.array(value))]


def at(path, given):
    """Return the argument at a path in the tuple `given`. A list becomes an array."""
    value = eval(path, {"given": given})
    return np.asarray(value) if isinstance(value, list) else value


def scaled(given):
    """Return the inputs with all floats times 1 + 2**-10. This factor keeps their order, sign and definiteness."""
    return tolerance.mapped(given, lambda array: array * array.dtype.type(1 + 2**-10))


def _bytes(values):
    return [value.tobytes() if isinstance(value, np.ndarray) else None for value in values]


class Observer:
    """Observer that calls the function and its normal form with the same arguments."""

    def __init__(self, request):
        module, self.folder, self._original = source.load(request.file, request.function)
        self.extract = source.extract(self._original, self.folder)
        self.here = f"{source.place(self.extract.files, self.extract.main.lineno)}: {self._original.__qualname__}"
        self._by_keyword = [parameter.arg for parameter in self.extract.main.args.kwonlyargs]
        self.frozen, self.changed, self.sizes, self.calls = False, [], request.sizes, ""
        if request.script:
            captured = arguments.capture(request.script, self._original)
            self.sizes, self.calls = tuple(captured), f"results/.derive/calls/{request.function}/{arguments.CALLS}"
            files.write(self.calls, pickle.dumps(captured))
            self.code, self.uses_n = arguments.CAPTURED, False
        else:
            self.code, self.uses_n = arguments.code(
                module, self.folder, self._original, main=self.extract.main, request=request
            )

    def draw(self, size, seed):
        """Return the arguments of one call at a size, made with a random seed (0 if `frozen`)."""
        scope = SimpleNamespace(__file__=self.calls)  # captured arguments are in the folder of `__file__`
        with source.users_code("", f"--args fails for n = {size}", "Correct --args or --setup"):
            exec(self.code, vars(scope))
            return scope.arguments(size, np.random.default_rng(0 if self.frozen else seed))

    def call(self, given):
        """Return (returned value of the original function, its arguments after the call)."""
        copies, count = copy.deepcopy(given), len(given) - len(self._by_keyword)
        with source.users_code(self.extract.files[0], "the function fails", "Correct the function, or --args"):
            return self._original(*copies[:count], **dict(zip(self._by_keyword, copies[count:], strict=True))), copies

    def prepare(self, given):
        """Create the normal form for arguments with the types of `given`."""
        module, self.paths, self.notes = normal.normal_form(self.extract, given)
        self.name, (self.text, self.lines) = module.body[-1].name, rewriting.written(module)
        scope = {}
        exec(compile(self.text, "normal form", "exec"), scope)
        self._function = scope[self.name]

    def values(self, given):
        """Return the arguments of the normal form, from the arguments `given` of the original function."""
        return [at(path, given) for path in self.paths.values()]

    def results(self, given):
        """Return the results of the original function as arrays: returned values, then changed arguments."""
        returned, copies = self.call(given)
        return [array for _, array in self._leaves(returned, self.values(copies))]

    def normal_leaves(self, values):
        """Return [(expression, array)] of the results of the normal form, which may change `values`."""
        return self._leaves(self._function(*values), values)

    def normal_results(self, values):
        """Return the results of the normal form as arrays."""
        return [array for _, array in self.normal_leaves(values)]

    def _leaves(self, returned, values):
        after = dict(zip(self.paths, values, strict=True))
        for _, array in leaves(returned):
            if array.dtype.kind not in normal.NUMBERS:
                what = array.dtype if array.ndim else type(array.item()).__name__
                raise source.Refusal(f"{self.here} returns values of type {what}. Return arrays and numbers")
        return [*leaves(returned), *((f"{name}_after", np.array(after[name])) for name in self.changed)]

    def find_changed(self, given):
        """Set `changed`: the parameters that the function changes in calls with `given`, also scaled and perturbed."""
        rng, changed = np.random.default_rng(3), set()
        for other in (given, scaled(given), tolerance.mapped(given, lambda a: tolerance.jitter(a, rng))):
            with contextlib.suppress(source.Refusal):  # scaled or jittered arguments may be invalid
                before, after = (_bytes(self.values(inputs)) for inputs in (other, self.call(other)[1]))
                changed |= {name for name, one, two in zip(self.paths, before, after, strict=True) if one != two}
        self.changed = [name for name in self.paths if name in changed]

    def shapes(self, given):
        return [np.shape(array) for array in (*self.results(given), *self.values(given))]

    def is_scaled(self, size):
        """Set `frozen`. Return whether checks use scaled inputs in place of inputs from other random numbers.

        `frozen` becomes true if the arguments use no random numbers, or if shapes depend on random numbers.
        """
        one, two = self.draw(size, 0), self.draw(size, 1)
        is_same = _bytes(self.values(one)) == _bytes(self.values(two))
        self.frozen = is_same or self.shapes(one) != self.shapes(two)
        with contextlib.suppress(source.Refusal):
            return self.frozen and self.shapes(scaled(one)) == self.shapes(one)
        return False


def answer(request):
    """Return the Observation for a Request. Raise Refusal with the reason if there is none."""
    observer = Observer(request)
    sizes = observer.sizes
    if observer.uses_n and not sizes:
        raise source.Refusal("--args uses n. Give sizes: --size 1000 100000")
    first = observer.draw(sizes[0] if sizes else 1, 0)
    observer.prepare(first)
    if not (observer.uses_n or request.script):
        sizes = (max(1, max((np.size(value) for value in observer.values(first)), default=1)),)
    if _bytes(observer.results(first)) != _bytes(observer.results(first)):
        raise source.Refusal(
            f"{observer.here} is random: two calls with the same arguments differ. "
            "Pass the random numbers as an argument"
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
        parameters=_parameters(observer, sizes),
        results=_results(observer, observer.normal_leaves(observer.values(observer.draw(sizes[0], 0)))),
        changed=observer.changed,
        sizes={size: _at_size(observer, size, is_scaled=is_scaled) for size in sizes},
        scales=observer.uses_n,
        scaled=is_scaled,
        frozen=observer.frozen,
        calls=observer.calls,
        notes=observer.notes,
    )


def _at_size(observer, size, *, is_scaled):
    """Return the AtSize of a size. Raise Refusal if the function is chaotic, or if its normal form is wrong."""
    given = observer.draw(size, 0)
    begin = perf_counter()
    expected = observer.results(given)
    seconds, values = perf_counter() - begin, observer.values(given)
    draws = DRAWS if seconds < LONG_S else FEW_DRAWS
    tolerance.Noisy.launches = tolerance.Noisy.reads = 0
    allowed = tolerance.MARGIN * tolerance.scale(observer.normal_results, values, expected, draws=draws)
    if allowed > CHAOTIC:
        raise source.Refusal(
            f"{observer.here} is chaotic, so no check is possible: rounding errors alone change its results by "
            f"{allowed / tolerance.MARGIN:.1g} of the largest value (n = {size}). Choose fewer steps or smoother inputs"
        )
    for inputs in (given, scaled(given) if is_scaled else observer.draw(size, 1)):
        with source.users_code("", f"{observer.here} fails after its conversion to plain arrays", REPORT):
            results = observer.normal_results(copy.deepcopy(observer.values(inputs)))
        if not tolerance.distance(results, observer.results(inputs)) <= allowed:
            raise source.Refusal(f"{observer.here} has other results after its conversion to plain arrays. {REPORT}")
    return AtSize(
        seconds=seconds,
        nbytes=sum(np.asarray(value).nbytes for value in (*values, *expected) if not isinstance(value, CONSTANTS)),
        shapes=tuple(array.shape for array in expected),
        tolerance=allowed,
        launches=tolerance.Noisy.launches // draws,
        reads=tolerance.Noisy.reads // draws,
    )


def _parameters(observer, sizes):
    """Return the arguments as Values. Raise Refusal if an argument is not an array, a number or a constant."""
    parameters, draws = [], zip(*(observer.values(observer.draw(size, 0)) for size in sizes), strict=True)
    for (name, path), values in zip(observer.paths.items(), draws, strict=True):
        array = np.asarray(values[0])
        if isinstance(values[0], CONSTANTS):
            plain = [value.item() if isinstance(value, np.generic) else value for value in values]
            texts = dict(zip(sizes, map(repr, plain), strict=True))
            parameters.append(Value(name, path, type(plain[0]).__name__, texts=texts))
        elif array.dtype.kind in normal.NUMBERS:
            parameters.append(Value(name, path, array.dtype.name, array.ndim))
        else:
            what = array.dtype if array.ndim else type(values[0]).__name__
            raise source.Refusal(f"{observer.here} gets {name} of type {what}. Pass arrays and numbers")
    if all(parameter.texts for parameter in parameters):
        raise source.Refusal(f"{observer.here} gets no array and no float. Pass the data as arguments")
    return parameters


def _results(observer, outputs):
    """Return the results as Values. Names are `result` or `result_1` etc., and `x_after` for a changed argument `x`."""
    if not outputs:
        raise source.Refusal(f"{observer.here} returns nothing and changes no argument. Return the result")
    count = len(outputs) - len(observer.changed)
    return_names = ["result"] if count == 1 else [f"result_{number}" for number in range(1, count + 1)]
    names = [
        *(f"{name}_" if name in observer.paths else name for name in return_names),
        *(path for path, _ in outputs[count:]),
    ]
    return [Value(name, path, a.dtype.name, a.ndim) for name, (path, a) in zip(names, outputs, strict=True)]


def main():
    """Print the answer to the Request that the command line contains as JSON."""
    try:
        reply = answer(TypeAdapter(Request).validate_json(sys.argv[1]))
    except source.Refusal as refusal:
        reply = str(refusal)
    except BaseException as error:
        reply = f"{type(error).__name__}: {error}. {REPORT}"
    print("\n" + ANSWER.dump_json(reply).decode(), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
