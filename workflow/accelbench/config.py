"""The configuration: one pydantic model, its defaults and its explanations in one place.

`config/README.md` explains every key for people; a test keeps it in step with the models below.
"""

import fnmatch
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    field_validator,
)

from accelbench import catalog
from accelbench.errors import InputError
from accelbench.record import format_parameter

LIMIT_PREFIX = "limit_"  # kernels of this name measure the machine itself: every implementation of theirs counts


def parse_block_size(value):
    """256 -> 256, "16x16" -> (16, 16); ValueError for anything that is not 1 or 2 positive whole numbers."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    if isinstance(value, str) and re.fullmatch(r"[1-9]\d*(x[1-9]\d*)?", value):
        parts = tuple(int(part) for part in value.split("x"))
        return parts if len(parts) == 2 else parts[0]
    raise ValueError(f"{value!r} is no block size: write 256, or 16x16 for two dimensions, each > 0")


BlockSize = Annotated[
    Any,
    BeforeValidator(parse_block_size),
    PlainSerializer(lambda block: block if isinstance(block, int) else format_parameter(block)),
]
Count = Annotated[int, Field(gt=0)]
Size = Annotated[int, Field(ge=0, strict=True)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Fraction = Annotated[float, Field(gt=0, lt=1)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]


class Section(BaseModel):
    """A part of the configuration: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class Protocol(Section):
    """How measuring is done; docs/method.md gives the reasons for the defaults."""

    processes: Count = Field(3, description="fresh processes the whole is repeated in; no verdicts from one")
    budget_s: Seconds = Field(0.25, description="seconds of samples per case and process, at most")
    min_samples: Count = Field(20, description="samples per case and process, at least")
    passes: Count = Field(2, description="visits to each problem, over which the samples of a process are spread")
    sample_s: Seconds = Field(0.002, description="a sample on the host clock lasts at least this long")
    sample_cache_s: Seconds = Field(0.005, description="the same where the working set is 1/4 to 4 times the LLC")
    sample_device_s: Seconds = Field(0.001, description="a sample between device events lasts at least this long")
    max_call_s: Seconds = Field(2.0, description="a case whose single call is predicted to take longer is too_slow")
    long_call_s: Seconds = Field(2.0, description="a longer call is check, warm-up and sample at once, 3 at most")
    timeout_s: Seconds = Field(60.0, description="a step that takes this much longer than predicted is killed")
    precision_host: Fraction = Field(0.02, description="stop when the 95 % rank interval is within +- this share")
    precision_device: Fraction = Field(0.01, description="the same for times between device events")
    cache: Literal["hot", "cold"] = Field("hot", description="cold flushes the device cache before each launch")
    memory_fraction: Fraction = Field(0.6, description="share of the free memory that live workers may fill")
    seed: int = Field(20230308, ge=0, description="seed of inputs and of the order of everything")


class Build(Section):
    """Compiler settings; FLAGS and VARIANTS of an implementation are added to them."""

    cc: str = Field("gcc", pattern=r"^[\w./+-]+$", description="the C compiler")
    cxx: str = Field("g++", pattern=r"^[\w./+-]+$", description="the C++ compiler")
    cflags: tuple[str, ...] = Field(("-O3",), description="flags of every C, C++, CFFI and Cython build")
    opencl_flags: tuple[str, ...] = Field((), description="flags of every OpenCL build")
    cuda_architectures: tuple[Annotated[str, Field(pattern=r"^sm_\d+a?$")], ...] = Field(
        ("sm_80", "sm_90"), description="architectures every .cu is compiled for, beside PTX"
    )


class Sweep(Section):
    """What is measured of one kernel where it differs from the configuration as a whole."""

    sizes: tuple[Size, ...] | None = Field(None, min_length=1, description="sizes instead of the preset's")
    dtypes: tuple[str, ...] | None = Field(None, min_length=1, description="dtypes instead of the common ones")
    implementations: tuple[str, ...] | None = Field(None, min_length=1, description="names or patterns (`cffi_*`)")
    options: dict[str, tuple[int | float, ...]] = Field({}, description="option: values to sweep")
    block_sizes: tuple[BlockSize, ...] | None = Field(None, min_length=1, description="block sizes of this kernel")

    @field_validator("options", mode="before")
    @classmethod
    def _single_values(cls, values):
        if isinstance(values, dict):
            return {k: v if isinstance(v, (list, tuple)) else (v,) for k, v in values.items()}
        return values


class Machine(Section):
    """Where measuring happens; an empty mapping is this computer."""


class Config(Section):
    """The whole configuration of one sweep."""

    preset: Literal["smoke", "default", "lecture"] = Field("default", description="which of the kernels' own sizes")
    kernels_path: tuple[str, ...] = Field(("kernels",), min_length=1, description="folders searched for kernels")
    kernels: dict[str, Sweep] | None = Field(None, min_length=1, description="kernels to measure; all where absent")
    implementations: tuple[str, ...] = Field(("*",), min_length=1, description="names or patterns, for every kernel")
    dtypes: tuple[str, ...] | None = Field(None, min_length=1, description="dtypes; all of each kernel's where absent")
    threads: tuple[Count | Literal["all"], ...] = Field((1, "all"), min_length=1, description="thread counts")
    block_sizes: tuple[BlockSize, ...] = Field((64, 256), min_length=1, description="threads per block")
    block_sizes_2d: tuple[BlockSize, ...] = Field(("8x8", "16x16"), min_length=1, description="blocks of 2-D kernels")
    devices: tuple[str, ...] = Field(("*",), min_length=1, description="device names or patterns")
    limits: bool = Field(True, description="measure the machine's bandwidths and rates too")
    machines: dict[Name, Machine] = Field({"local": Machine()}, min_length=1, description="name: where it is")
    protocol: Protocol = Protocol()
    build: Build = Build()

    @field_validator("kernels", mode="before")
    @classmethod
    def _kernel_list(cls, value):
        if isinstance(value, list):
            if not value:
                raise ValueError("the list is empty")
            return {key: {} for key in value}
        return {k: v or {} for k, v in value.items()} if isinstance(value, dict) else value

    @field_validator("kernels")
    @classmethod
    def _kernel_names(cls, value):
        for name in value or ():
            if not catalog.NAME.match(name):
                raise ValueError(f"{name!r} is not a kernel name: lower-case letters, digits and underscores")
        return value

    def sweep(self, kernel):
        """The Sweep of a kernel, with nothing overridden where it has no entry."""
        return (self.kernels or {}).get(kernel, Sweep())


def read(path):
    """The Config in a YAML file; InputError where it cannot be read, is no mapping or breaks the model."""
    path = Path(path)
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", "Name an existing configuration file") from None
    except UnicodeDecodeError:
        raise InputError(path, "is not UTF-8 text", "Save it as UTF-8") from None
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        where = f"{path}:{place.line + 1}" if place else path
        raise InputError(where, f"is not YAML: {getattr(error, 'problem', error)}", "Correct that line") from None
    return parse(data if data is not None else {}, path)


def parse(data, where="configuration"):
    """A Config from plain data; InputError names `where`, the key and the remedy."""
    if not isinstance(data, dict):
        raise InputError(where, f"is a {type(data).__name__}, not a mapping", "Write `key: value` lines")
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise InputError(where, *_explain(error)) from None


def check(config, where="configuration"):
    """{name: KernelFolder} of the kernels to measure; InputError for any name in `config` that matches nothing."""
    folders = catalog.find(config.kernels_path)
    names = list(folders) if config.kernels is None else list(config.kernels)
    if not names:
        raise InputError(where, f"kernels_path {list(config.kernels_path)} holds no kernel", "Add a kernel folder")
    for name in names:
        if name not in folders:
            raise InputError(where, f"kernels: no kernel {name!r}", f"Kernels here: {', '.join(folders)}")
    loaded = {name: catalog.load(folders[name]) for name in names}
    for name, folder in loaded.items():
        sweep = config.sweep(name)
        for pattern in sweep.implementations or ():
            if not fnmatch.filter(folder.implementations, pattern):
                have = ", ".join(folder.implementations)
                raise InputError(where, f"kernels.{name}.implementations: {pattern!r} matches none", f"It has: {have}")
        for dtype in sweep.dtypes or ():
            if dtype not in folder.spec.dtypes:
                have = ", ".join(folder.spec.dtypes)
                raise InputError(where, f"kernels.{name}.dtypes: {dtype!r} is not one of its dtypes", f"It has: {have}")
        for option in sweep.options:
            if option not in folder.spec.options:
                have = ", ".join(folder.spec.options) or "none"
                raise InputError(where, f"kernels.{name}.options: no option {option!r}", f"It has: {have}")
    every = {i for folder in loaded.values() for i in folder.implementations}
    for pattern in config.implementations:
        if not fnmatch.filter(every, pattern):
            raise InputError(where, f"implementations: {pattern!r} matches none", "See: python -m accelbench list")
    for dtype in config.dtypes or ():
        if not any(dtype in folder.spec.dtypes for folder in loaded.values()):
            raise InputError(where, f"dtypes: no kernel has {dtype!r}", "Use float32, float64, ... as kernels do")
    return loaded


def chosen(config, folder):
    """The Implementations of a kernel that the configuration asks for, its baseline always among them."""
    common = ("*",) if folder.name.startswith(LIMIT_PREFIX) else config.implementations
    patterns = config.sweep(folder.name).implementations or common
    return {
        name: implementation
        for name, implementation in folder.implementations.items()
        if name == folder.spec.baseline or any(fnmatch.fnmatchcase(name, p) for p in patterns)
    }


def slice_for(config, kernel):
    """What of the configuration decides one kernel's measurements, as plain data for Snakemake's params."""
    data = config.model_dump(mode="json", exclude={"machines", "kernels"})
    data["kernels"] = {kernel: config.sweep(kernel).model_dump(mode="json", exclude_none=True)}
    return data


def _explain(error):
    """(problem, remedy) of the first mistake pydantic found."""
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"] if not str(part).startswith(("function-", "literal[", "int")))
    kind, given = first["type"], first.get("input")
    if kind == "extra_forbidden":
        known = ", ".join(_keys_beside(first["loc"]))
        return f"unknown key {key!r}", f"Keys here: {known}. config/README.md explains each"
    message = re.sub(r"^(Value error|Assertion failed), ", "", first["msg"])
    shown = "" if isinstance(given, (dict, BaseModel)) else f" (given: {given!r})"
    return f"{key}: {message}{shown}", "config/README.md explains the key and shows an example"


def _keys_beside(location):
    model: Any = Config
    for part in location[:-1]:
        if model is Config and part == "kernels":
            model = dict
        elif model is dict:
            model = Sweep
        elif model is not dict and part in model.model_fields:
            annotation = model.model_fields[part].annotation
            model = annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else dict
    return sorted(model.model_fields) if model is not dict else []
