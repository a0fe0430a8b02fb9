"""Inputs of one problem and one seed, their reference results and tolerances."""

import contextlib
import fcntl
import math
import mmap
import os
import zlib

import numpy as np

from accelbench.errors import InputError, WrongResult
from accelbench.rpc.channel import Descriptor
from accelbench.rpc.messages import ErrorMetrics, Inputs, mapped, shaped
from accelbench.verify import comparison

ALIGNMENT = 64
SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
OTHERS = 1 << 32  # Part of the seed of other random inputs, from which a change takes its new values
TURNING = 16  # Maximum number of elements that change between timed calls, in up to 2**16 combinations


class Truth:
    """Inputs in a sealed memfd, which workers memory-map, and reference results, which workers cannot access.

    folder   the KernelFolder
    key      TruthKey of the inputs
    names    {"size", "dtype", "options"}: arguments of the KernelFolder's methods
    right    (reference results, tolerances)
    nbytes   bytes of the inputs, reference results and tolerances, without those of changed inputs
    """

    def __init__(self, folder, key):
        self.folder, self.exact = folder, key.exact
        self.names = {"size": key.size, "dtype": key.dtype, "options": key.options}
        self._seed = [key.seed, zlib.crc32(key.problem.encode()), key.which]
        self.outputs, self._change = folder.outputs(**self.names), None
        self.file, self._layout = sealed(key.problem, self._drawn(self._seed))
        self.inputs = mapped(self.file, self._layout)
        self.right = self._right(self.inputs)
        self.nbytes = sum(np.asarray(part).nbytes for part in (*self.inputs.values(), *self.right[0], *self.right[1]))

    def message(self):
        """Return the Inputs message, from which a worker memory-maps the inputs."""
        return Inputs(
            file=Descriptor(self.file),
            layout=self._layout,
            outputs=[(o.name, o.shape, o.dtype, o.inout) for o in self.outputs],
            location=self.folder.spec.location,
            again=self.folder.asks_for("error_metrics", "again"),
        )

    def _drawn(self, seed):
        return self.folder.inputs(rng=np.random.default_rng(seed), exact=self.exact, **self.names)

    def _right(self, inputs):
        """Return (reference results, tolerances) of `inputs`; the results are read-only views."""
        expected = self.folder.expected(inputs=inputs, **self.names)
        tolerance = self.folder.tolerance(inputs=inputs, expected=expected, exact=self.exact, **self.names)
        return tuple(np.broadcast_to(array, np.shape(array)) for array in expected), tuple(map(np.asarray, tolerance))

    def change(self, secret):
        """Return the fields of an InputChange, each {input: (places in the flattened array, values)}.

        The change is in one input and alters a result beyond its tolerance. One element changes if this is enough.
        Otherwise, more elements change, at most a quarter of the number of elements of the largest input. To notice so
        few changes, an implementation must read the whole input. New values are from other random inputs, with `secret`
        in their seed. If no such change is found, both fields are {}.
        """
        if self._change is None:
            with contextlib.suppress(InputError):  # raised if the kernel refuses a mixture of two random inputs
                self._change = self._changed(secret) if self.folder.spec.mixable else None
            self._change = self._change or ({"changes": {}, "turns": {}}, None, None)
        return self._change[0]

    def _changed(self, secret):
        """Return (fields of an InputChange, changed inputs, (reference results, tolerances)).

        Return None if none of the tried changes alters a result beyond its tolerance.
        """
        rng, drawn = np.random.default_rng([secret, *self._seed]), self._drawn([secret, OTHERS, *self._seed])
        arrays = {name: (values.reshape(-1), drawn[name].reshape(-1)) for name, values in self.inputs.items()}
        differing = {name: np.flatnonzero(here != there) for name, (here, there) in arrays.items() if here.size > 1}
        differing = {name: places for name, places in differing.items() if places.size}
        most = max((places.size for places in differing.values()), default=0)
        for count in sorted({1, round(most**0.5), most // 4} - {0}) if most else ():
            name = rng.choice(sorted(differing))
            places = np.sort(rng.choice(differing[name], min(count, differing[name].size), replace=False))
            values = arrays[name][1][places]
            inputs = self.inputs | {name: np.array(self.inputs[name])}
            inputs[name].reshape(-1)[places] = values
            right = self._right(inputs)
            if self._differs(right):
                turning = rng.choice(differing[name], min(TURNING, differing[name].size), replace=False)
                changes, turns = {str(name): (places, values)}, {str(name): (turning, arrays[name][1][turning])}
                return {"changes": changes, "turns": turns}, inputs, right
        return None

    def _differs(self, right):
        """Return whether `right`, the reference results of changed inputs, is wrong for the unchanged inputs.

        Results are compared by element and by error_metrics. error_metrics is ignored if it rejects even the reference
        results of the unchanged inputs.
        """

        def wrong(judge, expected):
            try:
                judge({output.name: value for output, value in zip(self.outputs, expected, strict=True)})
            except WrongResult:
                return True
            return False

        def metrics(results):
            self._metrics(results, results, inputs=self.inputs, right=self.right)

        if wrong(lambda results: self._elements(results, self.right), right[0]):
            return True
        return wrong(metrics, right[0]) and not wrong(metrics, self.right[0])

    def _elements(self, results, right):
        """Return {output: (error, tolerance)}. Raise WrongResult if an error exceeds its tolerance."""
        errors = {}
        for output, expected, tolerance in zip(self.outputs, *right, strict=True):
            result = results[output.name]
            try:
                errors[output.name] = comparison.compare(output.name, result, expected, tolerance=tolerance)
            except WrongResult as wrong:
                if result.dtype == np.dtype(output.dtype):
                    raise
                raise WrongResult(f"{wrong}; its dtype is {result.dtype} instead of {output.dtype}") from None
        return errors

    def compare(self, results, again, changed):
        """Return the ErrorMetrics of an implementation's results. Raise WrongResult if a result is wrong.

        Raise InputError if the kernel sets no bound to any error.
        """
        inputs, right = self._change[1:] if changed else (self.inputs, self.right)
        results, again = self._shaped(results), again and self._shaped(again)
        errors = self._elements(results, right) | self._metrics(results, again, inputs=inputs, right=right)
        bounded = {what: pair for what, pair in errors.items() if pair[1] < math.inf}
        if not bounded and any(result.size for result in results.values()):
            problem = "neither tolerance nor error_metrics sets a bound to any error"
            raise InputError(self.folder.file, problem, "Return an error and its bound from error_metrics")
        return ErrorMetrics(*comparison.nearest(bounded, results), bounded)

    def _metrics(self, results, again, *, inputs, right):
        """Return {name: (error, tolerance)} of error_metrics; {} if the kernel has no such function.

        Raise WrongResult if an error exceeds its tolerance.
        """
        if "error_metrics" not in self.folder.functions:
            return {}
        results = results | {"again": again}
        metrics = self.folder.error_metrics(inputs=inputs, results=results, expected=right[0], **self.names)
        return comparison.within(metrics)

    def _shaped(self, results):
        """Return an implementation's results in the declared shapes. Raise WrongResult if a name or shape is wrong."""
        if results.keys() != {output.name for output in self.outputs}:
            raise WrongResult(
                f"it returns the results {', '.join(results)}, which differ from the outputs of kernel.py"
            )
        return {o.name: shaped(o.name, results[o.name], tuple(o.shape)) for o in self.outputs}

    def close(self):
        os.close(self.file)


def sealed(name, inputs):
    """Write inputs into a memfd and make it read-only. Return (descriptor, {input: (offset, dtype, shape)})."""
    layout, end = {}, ALIGNMENT
    for key, value in inputs.items():
        array = np.asarray(value)
        layout[key] = (end, array.dtype.str, array.shape)
        end += -(-max(array.nbytes, 1) // ALIGNMENT) * ALIGNMENT
    file = os.memfd_create(f"accelbench {name}", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(file, end)
    with mmap.mmap(file, end) as memory:
        for key, (offset, dtype, shape) in layout.items():
            view = np.ndarray(shape, dtype, memory, offset)
            view[...] = inputs[key]
            del view
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, SEALS)
    return file, layout
