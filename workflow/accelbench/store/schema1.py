"""Results of schema version 1: the same facts under other words. They are read as version 2 would have written them.

Keys digest what measured them, so that a journal of version 1 is read and its cases are measured again.
"""

from functools import partial

VERSION = 1
KERNELS = {f"limit_{name}": f"peak_{name}" for name in ("copy", "matmul", "read", "triad", "write")}
RAW = ("cupy_raw", "pycuda_raw", "pyopencl_raw")
RAW_PACKED = (
    "dot fill l2norm maximum random_fill slicing squared_difference_broadcast standard_deviation sum_of_products"
)
ALL_PACKED = "copy elementwise_trig linear_combination multiply_add saxpy scale softplus squared_difference vector_add"
# {kernel: (what follows their names now, implementations)}: they were tuned, and made way for the lecture's own code
TUNED = {
    **dict.fromkeys([*RAW_PACKED.split(), "vector_sum"], ("packed", RAW)),
    **dict.fromkeys(
        [*ALL_PACKED.split(), "squared_difference_mixed", "vector_multiply"], ("packed", (*RAW, "numba_cuda_jit"))
    ),
    **dict.fromkeys(("compact", "cumsum"), ("two_launches", (*RAW, "numba_cuda_jit"))),
    "conjugate_gradient": ("fused", (*RAW, "numba_cuda_jit")),
    "inside_polygon": ("runs", RAW),
    "monte_carlo_pi": ("one_launch", ("cupy_raw", "pycuda_raw")),
    "stencil": ("register_tiled", ("cupy_raw", "pycuda_raw")),
}


def kernel(name):
    """What a kernel of that name is called."""
    return KERNELS.get(name, name)


def implementation(of, name):
    """What the implementation `name` of the kernel `of`, either as it was called, is called."""
    addition, names = TUNED.get(of, ("", ()))
    return f"{name}_{addition}" if name in names else name


def record(value):
    """A record, as plain data."""
    given = dict(value)
    environment = given.get("environment")
    if isinstance(environment, dict) and "room" in environment:
        given["environment"] = _renamed(environment, room="system_state")
    return _renamed(_named(given), sittings="repetitions")


def machine(value):
    """machine.json."""
    backends = {
        name: backend | {"devices": [_renamed(device, limits="device_limits") for device in backend["devices"]]}
        for name, backend in value["backends"].items()
    }
    return _renamed(value | {"backends": backends}, room="system_state")


def metadata(value):
    """kernels/<kernel>.json."""
    of = value["kernel"]
    named = {
        implementation(of, name): about | {"build": [_built(of, artifact) for artifact in about["build"]]}
        for name, about in value["implementations"].items()
    }
    runs = [run | {"config": _configuration(run["config"])} for run in value["runs"]]
    return value | {"kernel": kernel(of), "implementations": named, "runs": runs}


def manifest(value):
    """build/<kernel>/<toolchain>.json."""
    of = value["kernel"]
    return value | {"kernel": kernel(of), "artifacts": [_built(of, artifact) for artifact in value["artifacts"]]}


def tuned(value):
    """tuned/<kernel>.json."""
    of = value["kernel"]
    return value | {"choices": [_built(of, choice) for choice in value["choices"]]}


def journal_line(value):
    """A line of the journal, which has no version of its own."""
    if not isinstance(value, dict) or "sitting" not in value:
        return value
    if isinstance(value.get("result"), dict):
        value = value | {"result": _renamed(value["result"], rooms="system_states")}
    return _renamed(value, sitting="repetition")


def _configuration(value):
    kernels = {kernel(name): sweep for name, sweep in (value.get("kernels") or {}).items()}
    return _renamed(value | ({"kernels": kernels} if kernels else {}), limits="peaks")


def _named(value):
    of = value["kernel"]
    return value | {"kernel": kernel(of), "implementation": implementation(of, value["implementation"])}


def _built(of, value):
    return value | {"implementation": implementation(of, value["implementation"])}


def _renamed(value, **names):
    return {names.get(key, key): part for key, part in value.items()}


# By the name of the model; what is not here changed its version alone.
READERS = {
    "Record": record,
    "Machine": machine,
    "KernelMetadata": metadata,
    "Manifest": manifest,
    "Tuned": tuned,
    "Profile": _named,
}


def upgraded(value, model, current):
    """The plain data of a `model`'s file of version 1 as one of version `current` would hold them. KeyError, TypeError
    or AttributeError where something is missing or of another kind: then it is none."""
    return READERS.get(model, partial(dict))(value) | {"schema_version": current}
