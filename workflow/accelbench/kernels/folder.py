"""KernelFolder: the specification, functions and implementations in a kernel's folder."""

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
from accelbench.kernels import reading, specification
from accelbench.kernels.implementation import Implementation

CALL = "accelbench.call"  # Audit event, raised before a kernel.py is imported or one of its functions is called


@dataclass(frozen=True)
class KernelFolder:
    """A kernel: its specification and its implementations in one folder.

    left_out  {name: Implementation} of implementations whose environment (separate Python) is not configured
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
        """Call a function of kernel.py. The function's parameters get the values in `names`. Ignore further `names`.

        Raise InputError if the function has other parameters, or if `size` is below the kernel's smallest size. Also
        raise InputError if the function raises SystemExit or any Exception other than MemoryError.
        """
        parameters = inspect.signature(self.functions[function]).parameters
        for name in parameters.keys() - names.keys():
            known = ", ".join(sorted(names))
            raise InputError(
                self.file, f"{function} has the unsupported parameter {name!r}", f"Possible parameters: {known}"
            )
        specification.require(
            names["size"] >= self.spec.smallest,
            self.file,
            f"size {names['size']} is below the smallest size, {self.spec.smallest}",
            remedy="Choose a larger size, or correct Kernel(smallest=...)",
        )
        sys.audit(CALL, function)
        try:
            return self.functions[function](**{name: names[name] for name in parameters})
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            plain = {k: v for k, v in names.items() if isinstance(v, (int, float, str)) and k != "itemsize"}
            arguments = ", ".join(f"{name}={value!r}" for name, value in plain.items())
            raise InputError(
                f"{self.file}{line(self.file, error)}",
                f"{function} fails for {arguments}: {type(error).__name__}: {error}",
                "Correct it, or the configured sizes and options. Kernel(smallest=...) sets the smallest size",
            ) from error

    def inputs(self, size, dtype, *, rng, options, exact=False):
        """Return {input: array or scalar} from kernel.py's `inputs`.

        exact  use kernel.py's `exact_inputs` instead, if it has this function
        """
        function = "exact_inputs" if exact and "exact_inputs" in self.functions else "inputs"
        return specification.check_inputs(self.file, self.call(function, size=size, dtype=dtype, rng=rng, **options))

    def outputs(self, size, dtype, options):
        return specification.check_outputs(self.file, self.call("outputs", size=size, dtype=dtype, **options))

    def expected(self, size, dtype, *, options, inputs):
        """Return the result of the reference as a tuple in output order."""
        result = self.call("reference", size=size, dtype=dtype, **options, **inputs)
        return specification.check_expected(self.file, self.outputs(size, dtype, options), result)

    def tolerance(self, size, dtype, *, options, inputs, expected, exact=False):
        """Return the largest allowed absolute error of each output, a tuple of scalars or arrays.

        exact  whether `inputs` come from kernel.py's `exact_inputs`; ignored if kernel.py lacks this function
        """
        outputs = self.outputs(size, dtype, options)
        exact = exact and "exact_inputs" in self.functions
        if exact and "exact_tolerance" not in self.functions:
            return (0.0,) * len(outputs)
        function, plain = "exact_tolerance" if exact else "tolerance", expected if len(expected) > 1 else expected[0]
        bound = self.call(function, size=size, dtype=dtype, expected=plain, **options, **inputs)
        has_metrics = "error_metrics" in self.functions
        return specification.check_tolerance(self.file, outputs, expected, tolerance=bound, has_metrics=has_metrics)

    def error_metrics(self, size, dtype, *, options, inputs, results, expected):
        """Return {name: (error, tolerance)} of an implementation's results.

        results  {output: array, "again": {output: array} of a second call, or None}
        """
        plain = expected if len(expected) > 1 else expected[0]
        names = {**inputs, **results, "size": size, "dtype": dtype, "expected": plain, **options}
        return specification.check_error_metrics(self.file, self.call("error_metrics", **names))

    def asks_for(self, function, name):
        """Return whether kernel.py has the function `function` with a parameter `name`."""
        return function in self.functions and name in inspect.signature(self.functions[function]).parameters

    def cost(self, size, itemsize, options):
        """Return (bytes read, bytes written, flops) of one call as floats. Costs that kernel.py lacks are None."""
        costs = dict.fromkeys(COSTS)
        for name in costs.keys() & self.functions.keys():
            costs[name] = self.call(name, size=size, itemsize=itemsize, **options)
        moved, flops, _ = costs.values()
        read, written = (None, None) if moved is None else specification.check_moved(self.file, moved)
        return read, written, flops if flops is None else specification.check_amount(self.file, "flops", flops)

    def footprint_bytes(self, size, dtype, options):
        """Return the bytes of a problem's arrays, from kernel.py's `footprint_bytes`.

        If kernel.py lacks `footprint_bytes`, use `bytes_moved` and `outputs`. If kernel.py also lacks `bytes_moved`,
        use `inputs` and `outputs`.
        """
        if "footprint_bytes" in self.functions:
            footprint = self.call("footprint_bytes", size=size, itemsize=np.dtype(dtype).itemsize, **options)
            return specification.check_amount(self.file, "footprint_bytes", footprint)
        read, written, _ = self.cost(size, np.dtype(dtype).itemsize, options)
        if read is None:
            inputs = self.inputs(size, dtype, rng=np.random.default_rng(0), options=options)
            read, written = float(sum(value.nbytes for value in inputs.values())), 0.0
        outputs = self.outputs(size, dtype, options)
        return read + max(written, sum(math.prod(o.shape) * np.dtype(o.dtype).itemsize for o in outputs))

    def native_sources(self):
        """Return the files that SOURCES name or that builds may include, such as .c, .h, .pxd, .cu and .cl."""
        named = {source for implementation in self.implementations.values() for source in implementation.sources}
        suffixes, paths = toolchains.suffixes(), filter(Path.is_file, reading.listed(self.path))
        return [path for path in paths if path.suffix in suffixes or path.name in named]

    def data_files(self):
        """Return kernel.py and the files that its functions may read: all but native sources and implementations."""
        others = {*self.native_sources(), *(implementation.path for implementation in self.implementations.values())}
        return [path for path in reading.data_files(self.path) if path not in others]
