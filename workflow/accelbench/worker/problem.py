"""Arrays of one problem, on a worker's device or on its host, and the timed call with these arrays."""

import inspect
import math
from itertools import count
from time import perf_counter
from timeit import Timer

import numpy as np

from accelbench.backends import host
from accelbench.errors import WrongResult
from accelbench.rpc.messages import mapped, shaped

# Number of bytes whose copy takes as long as the update of a single element: some 25 us at 10 GB/s
ELEMENT_BYTES = 1 << 18
NUMBERS = {bool, int, float, complex, *np.sctypeDict.values()} - {np.object_}
# A case gets the mark works_in_convert if `convert` takes longer than CONVERTING times the time to copy its inputs,
# plus CONVERTING_S seconds.
CONVERTING, CONVERTING_S = 2.0, 1e-5


class Call:
    """A `run` with bound arguments: the statement that is timed, and its namespace.

    parameters  parameters of the case; `run` gets them as keywords, unless `prepare` returned this `run`
    mark        one of backends.MARKS, the reason why `compute` of a device includes launches by the host; None if no
                timer has set a mark
    """

    def __init__(self, run, parameters, prepared):
        self.run, self.parameters, self.mark = run, parameters, None
        self._keywords = {} if prepared else parameters
        self.namespace = {"run": run, **self._keywords}
        self.statement, self._names = "", None

    def bind(self, arguments):
        """Bind the call to new arguments. Reuse the compiled statement, since end-to-end times include `bind`."""
        if self._names is None or len(self._names) != len(arguments):
            self._names = [f"a{i}" for i in range(len(arguments))]
            self.statement = f"run({', '.join([*self._names, *(f'{name}={name}' for name in self._keywords)])})"
            self._code = compile(self.statement, "<string>", "eval")
        self.namespace.update(zip(self._names, arguments, strict=True))

    def once(self):
        """Return the result of one call."""
        return eval(self._code, self.namespace)


class HostSide(host.Session):
    """A session for kernels whose arrays are on the host although a device computes.

    Arrays are in ordinary host memory, and `run` transfers them to the device and back. The host's clock times calls
    until the device has finished.
    """

    def __init__(self, device):
        super().__init__(None, None)
        self._device, self.queue = device, device.queue
        self.synchronise, self.wait, self.spent = device.synchronise, device.wait, device.spent

    def copy_out(self, value, into=None):
        return self._device.copy_out(value, into)

    def timers(self, call):
        timer = Timer(self.statement(call), globals=call.namespace)

        def compute(loops, lead=False):
            begin = perf_counter()
            timer.timeit(loops)
            self.synchronise()
            return (perf_counter() - begin) / loops

        return {"compute": compute}

    def flush_cache(self):
        """Empty the device's caches, and wait until they are empty, so that timers do not include this work."""
        self._device.flush_cache()
        self.synchronise()


class LoadedProblem:
    """Arrays of one problem on the worker's device or its host, shared by all cases of the problem.

    session    session that allocates the arrays: the session of the device, or a HostSide if a device computes and the
               kernel's arrays are on the host
    inputs     {name: read-only array} that the verifier made
    in_rows    whether a call takes the same time alone and directly after other calls, as on the host
    convert_s  shortest time of a call of `convert`, in seconds
    turned     counter of changes of inputs before pairs of timed calls
    """

    def __init__(self, session, module, given):
        self._result_types, self.in_rows = _result_types(session), session.ON_HOST
        if given.location == "host" and not session.ON_HOST:
            session = HostSide(session)
        self.session, self.convert, self.convert_s = session, getattr(module, "convert", None), math.inf
        self.inputs, self._again = mapped(given.file, given.layout), given.again
        self._declared = [(name, tuple(shape), dtype, inout) for name, shape, dtype, inout in given.outputs]
        self._pinned, self._landing, self.turned, self.host = None, {}, count(1), {}
        self.device_inputs = {n: session.empty(view.shape, view.dtype) for n, view in self.inputs.items() if view.ndim}
        self.inout = [name for name, _, _, inout in self._declared if inout]
        self.outputs = {
            name: self.device_inputs[name] if inout else session.empty(shape, dtype)
            for name, shape, dtype, inout in self._declared
            if shape != ()
        }
        self.scalar_outputs = [name for name, shape, *_ in self._declared if shape == ()]
        self.on_host = session.ON_HOST
        self.fill()

    def fill(self):
        """Copy the inputs to the device and to ordinary host memory, which is faster to read than mapped pages.

        If the session's arrays are on the host, one copy of an input is enough, unless the input is `inout`.
        """
        for name, view in self.inputs.items():
            if view.ndim:
                self.session.copy_in(self.device_inputs[name], view)
                if not self.on_host or name in self.inout:
                    self.host[name] = np.array(view)
                else:
                    self.host[name] = self.device_inputs[name]
                    self.host[name].flags.writeable = False
            else:
                self.host[name] = view[()]
        for name, array in (self._pinned or {}).items():
            array[...] = self.host[name]
        self.arguments = self._converted(self.host) if self.convert else self._resident()

    def refill(self, given):
        """Replace the inputs by new inputs with the same shapes."""
        self.inputs = mapped(given.file, given.layout)
        self.fill()

    def _resident(self):
        given = (self.device_inputs.get(name, self.host[name]) for name in self.inputs)
        return self._with_outputs(map(self.session.argument, given))

    def _converted(self, host):
        asked = {name: host[name] for name in self.inputs}
        if "queue" in inspect.signature(self.convert).parameters:  # OpenCL needs a queue to allocate memory
            asked |= {"queue": self.session.queue}
        begin = perf_counter()
        given = self.convert(**asked)
        self.convert_s = min(self.convert_s, perf_counter() - begin)
        if not isinstance(given, (dict, tuple, list)):
            raise TypeError(f"convert returned {given!r:.80}, not a dictionary or tuple of the arguments of run")
        return self._with_outputs(given.values() if isinstance(given, dict) else given)

    def _with_outputs(self, given):
        """Return the arguments of `run`: inputs, then the outputs that are not `inout`."""
        outputs = (array for name, array in self.outputs.items() if name not in self.inout)
        return (*given, *map(self.session.argument, outputs))

    def poison(self, stale=False):
        """Restore the starting values of `inout` outputs. Fill other outputs with POISON, unless `stale` is true."""
        self.restore()
        for name, array in self.outputs.items():
            if name not in self.inout and not stale:
                self.session.poison(array)

    def restore(self):
        """Restore the starting values of `inout` outputs."""
        for name in self.inout:
            self.session.copy_in(self.outputs[name], self.host[name])

    def results(self, returned, pinned=None):
        """Return {name: host array} of outputs that a call filled or returned.

        pinned  True to copy into page-locked arrays that `stage` made, False to copy into ordinary arrays that `stage`
                made. With None, results on a device are copied into new arrays, and results on the host are not copied
        """
        names, scalars = [name for name, *_ in self._declared], self.scalar_outputs
        if returned is None and scalars:
            raise WrongResult(f"run returned nothing; it must return {', '.join(scalars)}")
        values = () if returned is None else _values(returned)
        given = scalars if len(values) == len(scalars) < len(names) else names
        if len(values) != len(given):
            raise WrongResult(f"run returned {len(values)} results, expected {len(names)}")
        outputs = self.outputs | dict(zip(given, values, strict=True))
        landing = self._landing.get(pinned, {})
        return {name: self.session.copy_out(outputs[name], landing.get(name)) for name in names}

    def answer(self, returned, call):
        """Return {name: host array} of the call that returned `returned`, and that of a second call or None.

        Make the second call only if the kernel asks for its results.

        Raise WrongResult if results have the wrong type or shape, or if a call wrote to guard zones.
        """
        results, again = self._results(returned), None
        if self._again:
            results = {name: np.array(array) for name, array in results.items()}
            self.poison()
            returned = call.once()
            self.session.wait(returned)
            self.session.synchronise()
            again = self._results(returned)
        for name, array in {**self.outputs, **self.device_inputs}.items():
            if not self.session.intact(array):
                raise WrongResult(f"it wrote outside {name}, whose shape is {array.shape}")
        return results, again

    def _results(self, returned):
        """Return the results in the declared shapes.

        Raise WrongResult if a shape is wrong, or if a value may be computed after `run` returned.
        """
        for value in () if returned is None else _values(returned):
            if not self._is_computed(value):
                raise WrongResult(
                    f"run returned a {type(value).__name__}, which may compute its numbers later. Return an array of "
                    "NumPy or of the implementation's library, a number, or a list of numbers"
                )
        results = self.results(returned)
        for name, shape, *_ in self._declared:
            results[name] = shaped(name, results[name], shape)
        return results

    def _is_computed(self, value):
        """Return whether the type of a value guarantees that its numbers are computed."""
        return type(value) in self._result_types or (type(value) is list and all(map(self._is_computed, value)))

    def works_in_convert(self):
        """Return whether `convert` takes much longer than copying its inputs, or None if there is no `convert`."""
        if not self.convert:
            return None
        arrays = []  # keeps all copies, so that every copy gets new memory, as every converted array does
        copies = Timer(lambda: arrays.extend(map(np.array, self.inputs.values()))).repeat(3, number=1)
        return self.convert_s > CONVERTING * min(copies) + CONVERTING_S

    def change(self, changes):
        """Write {input: (places, values)} into all copies of the inputs. If there is a `convert`, call it again."""
        for name, (places, values) in changes.items():
            writeable, array = self.host[name].flags.writeable, self.host[name]
            array.flags.writeable = True
            array.reshape(-1)[places] = values
            array.flags.writeable = writeable
            if array is not self.device_inputs[name]:
                if len(places) * ELEMENT_BYTES < array.nbytes:
                    self.session.update(self.device_inputs[name], array, places)
                else:
                    self.session.copy_in(self.device_inputs[name], array)
            if self._pinned:
                self._pinned[name].reshape(-1)[places] = values
        if self.convert:
            self.arguments = self._converted(self.host)

    def check_inputs(self):
        """Raise WrongResult if a call changed an input."""
        for name, array in self.device_inputs.items():
            if name not in self.inout and not _same(self.session.copy_out(array), self.inputs[name]):
                raise WrongResult(f"it changed its input {name}")

    # parts of `end_to_end`

    def transferred_bytes(self):
        """Return {"upload": bytes of arrays copied to the device, "download": bytes copied back}; {} on the host."""
        if self.on_host:
            return {}
        results = [np.dtype(dtype).itemsize * math.prod(shape) for _, shape, dtype, _ in self._declared]
        return {"upload": sum(self.host[name].nbytes for name in self.device_inputs), "download": sum(results)}

    def stage(self, returned, pinned):
        """Allocate host arrays for transfers once. Arrays for results have the shapes of the results in `returned`."""
        if self.on_host or pinned in self._landing:
            return
        if pinned and self._pinned is None:
            self._pinned = {name: self._page_locked(self.host[name]) for name in self.device_inputs}
        place = self._page_locked if pinned else np.array
        self._landing[pinned] = {name: place(array) for name, array in self.results(returned).items()}

    def _page_locked(self, array):
        copy = self.session.pinned(array.shape, array.dtype)
        copy[...] = array
        return copy

    def upload(self, pinned=False):
        host = self.host | self._pinned if pinned else self.host
        if not self.on_host:
            for name, array in self.device_inputs.items():
                self.session.copy_in(array, host[name])
        return self._converted(host) if self.convert else None

    def array_bytes(self):
        """Return the size of the problem's arrays in host memory, in bytes, including inputs that all workers share."""
        arrays = [*self.inputs.values(), *self.host.values(), *(self.outputs.values() if self.on_host else ())]
        for several in (self._pinned or {}, *self._landing.values()):
            arrays += several.values()
        return sum(getattr(array, "nbytes", 0) for array in {id(array): array for array in arrays}.values())

    def release(self):
        for array in {id(array): array for array in (*self.outputs.values(), *self.device_inputs.values())}.values():
            self.session.release(array)


def elements(arrays, changes):
    """Return {input: (places, values)} with the places of `changes` and the values of `arrays` at these places."""
    return {name: (places, arrays[name].reshape(-1)[places]) for name, (places, _) in changes.items()}


def _result_types(session):
    """Return the types of results that `run` may return: numbers, and arrays of NumPy and of the session's library."""
    array = session.empty((1,), "uint8")
    types = {np.ndarray, type(array), type(session.argument(array)), *getattr(session, "RESULTS", ()), *NUMBERS}
    session.release(array)
    return types


def _values(returned):
    """Return the elements of a tuple; for any other value, a tuple with it. Call no methods of a subclass of tuple."""
    return tuple.__getitem__(returned, slice(None)) if isinstance(returned, tuple) else (returned,)


def _same(a, b):
    """Return whether two arrays of one dtype and shape hold the same bytes."""
    words = np.uint64 if a.nbytes % 8 == 0 else np.uint8
    return np.array_equal(a.reshape(-1).view(words), b.reshape(-1).view(words))
