"""A kernel as it lies in its folder: what its kernel.py declares, and its functions, called with what they ask for."""

import inspect
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from accelbench import toolchains
from accelbench.discovery import line
from accelbench.errors import InputError
from accelbench.kernel import COSTS, Kernel
from accelbench.kernels import specification
from accelbench.kernels.implementation import Implementation
from accelbench.kernels.reading import data_files, listed

CALL = "accelbench.call"  # the audit event that names what of a kernel.py is about to run: a function, or its import


@dataclass(frozen=True)
class KernelFolder:
    """A kernel: its specification and its implementations, as they lie in one folder.

    left_out  {name: Implementation} of those that have no environment to run in
    """

    name: str
    path: Path
    spec: Kernel
    functions: dict
    implementations: dict[str, Implementation]
    left_out: dict[str, Implementation] = field(default_factory=dict)

    @property
    def file(self):
        return self.path / "kernel.py"

    def call(self, function, **names):
        """Call one of kernel.py's functions with those of `names` it asks for.

        InputError where it asks for what there is not, or fails; MemoryError stays what it is.
        """
        parameters = inspect.signature(self.functions[function]).parameters
        for name in parameters.keys() - names.keys():
            known = ", ".join(sorted(names))
            raise InputError(self.file, f"{function} asks for {name!r}", f"It can ask for: {known}, each by its name")
        if names["size"] < self.spec.smallest:
            what = f"no function works with size {names['size']}: the smallest size is {self.spec.smallest}"
            raise InputError(self.file, what, "Name a larger size, or correct smallest")
        sys.audit(CALL, function)
        try:
            return self.functions[function](**{name: names[name] for name in parameters})
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            plain = {k: v for k, v in names.items() if isinstance(v, (int, float, str)) and k != "itemsize"}
            arguments = ", ".join(f"{name}={value!r}" for name, value in plain.items())
            what = f"{function} fails for {arguments}: {type(error).__name__}: {error}"
            remedy = "Correct it, or the sizes and options asked for; Kernel(smallest=...) declares the smallest size"
            raise InputError(f"{self.file}{line(self.file, error)}", what, remedy) from error

    def inputs(self, size, dtype, *, rng, options, exact=False):
        """{name: array or scalar}, arrays C-contiguous; of kernel.py's exact_inputs where asked for and there."""
        function = "exact_inputs" if exact and "exact_inputs" in self.functions else "inputs"
        return specification.check_inputs(self.file, self.call(function, size=size, dtype=dtype, rng=rng, **options))

    def outputs(self, size, dtype, options):
        return specification.check_outputs(self.file, self.call("outputs", size=size, dtype=dtype, **options))

    def expected(self, size, dtype, *, options, inputs):
        """The reference result, always a tuple in output order."""
        result = self.call("reference", size=size, dtype=dtype, **options, **inputs)
        return specification.check_expected(self.file, self.outputs(size, dtype, options), result)

    def tolerance(self, size, dtype, *, options, inputs, expected, exact=False):
        """The largest absolute error allowed, a tuple in output order of scalars or arrays; `exact` as in inputs."""
        outputs = self.outputs(size, dtype, options)
        exact = exact and "exact_inputs" in self.functions
        if exact and "exact_tolerance" not in self.functions:
            return (0.0,) * len(outputs)
        function, plain = "exact_tolerance" if exact else "tolerance", expected if len(expected) > 1 else expected[0]
        bound = self.call(function, size=size, dtype=dtype, expected=plain, **options, **inputs)
        has_metrics = "error_metrics" in self.functions
        return specification.check_tolerance(self.file, outputs, expected, tolerance=bound, has_metrics=has_metrics)

    def error_metrics(self, size, dtype, *, options, inputs, results, expected):
        """Return {what: (error, tolerance)} of `results`: {output: array} of an implementation, {"again": those of a
        second call, or None}."""
        plain = expected if len(expected) > 1 else expected[0]
        names = {**inputs, **results, "size": size, "dtype": dtype, "expected": plain, **options}
        return specification.check_error_metrics(self.file, self.call("error_metrics", **names))

    def asks_for(self, function, name):
        """Whether kernel.py has the function, and with a parameter of this name."""
        return function in self.functions and name in inspect.signature(self.functions[function]).parameters

    def cost(self, size, itemsize, options):
        """(bytes read, bytes written, flops) of one call, as floats; None for what kernel.py does not say."""
        found = dict.fromkeys(COSTS)
        for name in found.keys() & self.functions.keys():
            found[name] = self.call(name, size=size, itemsize=itemsize, **options)
        moved, flops, _ = found.values()
        read, written = (None, None) if moved is None else specification.check_moved(self.file, moved)
        return read, written, flops if flops is None else specification.check_amount(self.file, "flops", flops)

    def footprint_bytes(self, size, dtype, options):
        """Bytes of all arrays of a problem; where kernel.py says nothing else, those that are read and its outputs."""
        if "footprint_bytes" in self.functions:
            held = self.call("footprint_bytes", size=size, itemsize=np.dtype(dtype).itemsize, **options)
            return specification.check_amount(self.file, "footprint_bytes", held)
        read, written, _ = self.cost(size, np.dtype(dtype).itemsize, options)
        if read is None:
            inputs = self.inputs(size, dtype, rng=np.random.default_rng(0), options=options)
            read, written = float(sum(value.nbytes for value in inputs.values())), 0.0
        outputs = self.outputs(size, dtype, options)
        return read + max(written, sum(math.prod(o.shape) * np.dtype(o.dtype).itemsize for o in outputs))

    def native_sources(self):
        """Return the files that SOURCES name or builds may include: .c .h .pxd .cu .cl ..."""
        named = {source for implementation in self.implementations.values() for source in implementation.sources}
        suffixes, found = toolchains.suffixes(), filter(Path.is_file, listed(self.path))
        return [path for path in found if path.suffix in suffixes or path.name in named]

    def data_files(self):
        """Return every other file of the folder, kernel.py among them: what its functions may read."""
        others = {*self.native_sources(), *(implementation.path for implementation in self.implementations.values())}
        return [path for path in data_files(self.path) if path not in others]
