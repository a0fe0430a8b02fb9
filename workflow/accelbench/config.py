"""The configuration: one pydantic model, its defaults and its explanations in one place.

`config/README.md` explains every key for people; a test keeps it in step with the models below.
"""

import fnmatch
import itertools
import math
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    field_validator,
)

from accelbench import backends
from accelbench.errors import InputError
from accelbench.kernels import catalog, specification
from accelbench.model.names import MACHINE_NAME, NAME
from accelbench.model.parameters import BlockSize

KEPT_NAMES = ("examples",)  # folders of results or reports that are no machine's
# Beyond these it is a slip of the pen: a day is also more than a system call may wait.
SHORTEST_S, LONGEST_S = 1e-9, 86_400.0
MOST_CORES = 65_536  # of a machine, and GPUs
MOST_ENTRIES = 1_000  # of a list
MOST_BYTES, MOST_NODES, DEEPEST = 100_000, 50_000, 50  # of a file, and of what it says with its aliases written out


def parse_block_size(value):
    """The BlockSize that 256 or "16x16" writes; ValueError, saying what was given, for anything else."""
    try:
        return BlockSize.parse(value)
    except ValueError as error:
        raise ValueError(f"{_shown(value)} {error}") from None


def parse_threads(value):
    """A number of threads, or "all"; ValueError for anything else."""
    if value == "all" or (type(value) is int and 0 < value <= MOST_CORES):
        return value
    raise ValueError(f"{_shown(value)} is no number of threads: write a whole number from 1 to {MOST_CORES}, or all")


def parse_gpu(value):
    """The number of a GPU, from 0, or "all"; ValueError for anything else."""
    if value == "all" or (type(value) is int and 0 <= value <= MOST_CORES):
        return value
    raise ValueError(f"{_shown(value)} is no GPU: write its number, from 0 to {MOST_CORES}, or all")


def parse_truth(value):
    """True or False, or either as the word that `--config limits=false` hands on; ValueError for anything else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise ValueError(f"{_shown(value)} is neither true nor false")


def parse_option(value):
    """A finite number; ValueError for anything else, true and false included."""
    if type(value) in (int, float) and math.isfinite(value) and abs(value) <= specification.MOST:
        return value
    raise ValueError(f"{_shown(value)} is no finite number")


def _several(kind):
    """The type of a list that is not empty, in which what is there twice counts once."""
    bounds = Field(min_length=1, max_length=MOST_ENTRIES)
    return Annotated[tuple[kind, ...], bounds, AfterValidator(lambda v: tuple(dict.fromkeys(v)))]


Block = Annotated[
    BlockSize,
    BeforeValidator(parse_block_size),
    PlainSerializer(lambda block: str(block) if len(block.extents) > 1 else block.plain),
]
Threads = Annotated[Any, BeforeValidator(parse_threads)]
GpuNumber = Annotated[Any, BeforeValidator(parse_gpu)]
Truth = Annotated[bool, BeforeValidator(parse_truth)]
Option = Annotated[Any, BeforeValidator(parse_option)]
DTYPES = {  # names a kernel could have
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
}


def _count(most):
    """The type of a whole number from 1 to `most`."""
    return Annotated[int, Field(gt=0, le=most, strict=True)]


def _seconds(least):
    """The type of a time of `least` seconds up to a day."""
    return Annotated[float, Field(ge=least, le=LONGEST_S, allow_inf_nan=False, strict=True)]


Count = _count(MOST_CORES)
Size = Annotated[int, Field(ge=0, le=specification.MOST, strict=True)]
Seconds = _seconds(SHORTEST_S)
Fraction = Annotated[float, Field(ge=1e-6, lt=1, strict=True)]
Text = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f]+$")]


class Section(BaseModel):
    """A part of the configuration: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class Protocol(Section):
    """How measuring is done; docs/method.md gives the reasons for the defaults."""

    processes: _count(1_000) = Field(3, description="fresh processes the whole is repeated in; no verdicts from one")
    startup: bool = Field(True, description="record what starting costs: in the first process, one worker at a time")
    budget_s: Seconds = Field(0.25, description="seconds of samples per case and process, at most")
    min_samples: _count(1_000_000) = Field(20, description="samples per case and process, at least")
    passes: _count(1_000) = Field(2, description="visits to each problem, to spread a process's samples over time")
    sample_s: Seconds = Field(0.004, description="a sample of work on the host lasts at least this long")
    sample_cache_s: Seconds = Field(0.005, description="the same where the working set is 1/4 to 4 times the LLC")
    sample_device_s: Seconds = Field(0.001, description="a sample of work on a GPU lasts at least this long")
    max_call_s: Seconds = Field(
        2.0, description="a case whose single call takes longer, or is predicted to by far, is too_slow"
    )
    long_call_s: Seconds = Field(2.0, description="a longer call is check, warm-up and sample at once, 3 at most")
    timeout_s: _seconds(0.1) = Field(60.0, description="a step that takes this much longer than predicted is killed")
    precision_host: Fraction = Field(0.02, description="stop when the 95 % rank interval is within +- this share")
    precision_device: Fraction = Field(0.01, description="the same for times on a GPU")
    energy_s: Seconds = Field(0.15, description="a GPU's energy per call is counted over this long at least")
    cache: Literal["hot", "cold"] = Field("hot", description="cold flushes the device cache before each launch")
    memory_fraction: Fraction = Field(0.6, description="share of the free memory that live workers may fill")
    seed: int = Field(
        20230308, ge=0, le=specification.MOST, strict=True, description="seed of inputs and of the order of everything"
    )


class Build(Section):
    """Compiler settings; FLAGS and VARIANTS of an implementation are added to them."""

    cc: str = Field("gcc", pattern=r"^[\w./+][\w./+-]*$", description="the C compiler")
    cxx: str = Field("g++", pattern=r"^[\w./+][\w./+-]*$", description="the C++ compiler")
    cflags: tuple[Text, ...] = Field(("-O3",), description="flags of every C, C++, CFFI and Cython build")
    opencl_flags: tuple[Text, ...] = Field((), description="flags of every OpenCL build")
    cuda_architectures: tuple[Annotated[str, Field(pattern=r"^sm_\d+a?$")], ...] = Field(
        ("sm_80", "sm_90"), description="architectures every .cu is compiled for, beside PTX"
    )
    timeout_s: Seconds = Field(600.0, description="a compiler that takes longer is killed")
    memory_gb: Annotated[float, Field(ge=0.1, le=1e6, strict=True)] = Field(
        4.0, description="the most memory each process of a compiler may fill"
    )


class Sweep(Section):
    """What is measured of one kernel where it differs from the configuration as a whole."""

    sizes: _several(Size) | None = Field(None, description="sizes instead of the preset's")
    dtypes: _several(Text) | None = Field(None, description="dtypes instead of the common ones")
    implementations: _several(Text) | None = Field(None, description="names or patterns (`cffi_*`)")
    options: dict[str, _several(Option)] = Field({}, description="option: values to sweep")
    block_sizes: _several(Block) | None = Field(None, description="block sizes of this kernel")

    @field_validator("options", mode="before")
    @classmethod
    def _single_values(cls, values):
        if isinstance(values, dict):
            return {k: v if isinstance(v, (list, tuple)) else (v,) for k, v in values.items()}
        return values


class Machine(Section):
    """Where measuring happens; an empty mapping is this computer.

    Every key but `cores` is what the scheduler of a cluster is asked for, under the name that Snakemake's executor
    plugin for it knows.
    """

    cores: Count | None = Field(None, description="cores to measure with; HTCondor is asked for so many")
    slurm_partition: Text | None = Field(None, description="SLURM: the partition")
    slurm_account: Text | None = Field(None, description="SLURM: the account")
    qos: Text | None = Field(None, description="SLURM: the quality of service")
    constraint: Text | None = Field(None, description="SLURM: features of the node, so that all are of one type")
    gpu: Count | None = Field(None, description="SLURM: number of GPUs")
    gpu_model: Text | None = Field(None, description="SLURM: model of the GPUs, as the cluster calls it")
    requirements: Text | None = Field(None, description="HTCondor: expression that only nodes of one type fulfil")
    request_gpus: Count | None = Field(None, description="HTCondor: number of GPUs")

    @property
    def is_here(self):
        """Whether it is the computer that Snakemake runs on, and no node of a cluster."""
        return not self.model_dump(exclude_none=True)


REQUESTS = sorted(Machine.model_fields.keys() - {"cores"})


class Config(Section):
    """The whole configuration of one sweep."""

    preset: Literal["smoke", "default", "lecture"] = Field("default", description="which of the kernels' own sizes")
    kernels_path: _several(Text) = Field(("kernels",), description="folders searched for kernels")
    kernels: dict[str, Sweep] | None = Field(None, min_length=1, description="kernels to measure; all where absent")
    implementations: _several(Text) = Field(("*",), description="names or patterns, for every kernel")
    dtypes: _several(Text) | None = Field(None, description="dtypes; all of each kernel's where absent")
    threads: _several(Threads) = Field((1, "all"), description="thread counts")
    sizes: _several(Size) | None = Field(None, description="sizes of every kernel; each kernel's own where absent")
    backends: _several(Text) | None = Field(None, description="backends to measure; all where absent")
    block_sizes: _several(Block) = Field((32, 64, 128, 256, 512, 1024), description="threads per block, on GPUs")
    block_sizes_2d: _several(Block) = Field(("8x8", "16x16", "32x8", "32x32"), description="the same in 2-D kernels")
    block_sizes_cpu: _several(Block) = Field(
        (64, 256), description="threads per block, on OpenCL devices that are CPUs"
    )
    block_sizes_cpu_2d: _several(Block) = Field(("8x8", "16x16"), description="... there, in 2-D kernels")
    devices: _several(Text) = Field(("*",), description="device names or patterns")
    device: GpuNumber = Field(0, description="which of several GPUs, or all")
    limits: Truth = Field(True, description="measure the machine's bandwidths and rates too")
    machines: dict[str, Machine] = Field({"local": Machine()}, min_length=1, description="name: where it is")
    protocol: Protocol = Protocol()
    build: Build = Build()

    @field_validator("protocol", "build", mode="before")
    @classmethod
    def _empty_sections(cls, value):
        return {} if value is None else value

    @field_validator("kernels", "machines", mode="before")
    @classmethod
    def _empty_entries(cls, value):
        return {k: {} if v is None else v for k, v in value.items()} if isinstance(value, dict) else value

    @field_validator("kernels", mode="before")
    @classmethod
    def _kernel_list(cls, value):
        if not isinstance(value, list):
            return value
        for name in value:
            if not isinstance(name, str):
                raise ValueError(f"{_shown(name)} is not a kernel name: settings of its own go into a mapping")
        return {name: {} for name in value}

    @field_validator("kernels")
    @classmethod
    def _kernel_names(cls, value):
        for name in value or ():
            if not NAME.match(name):
                raise ValueError(f"{name!r} is not a kernel name: lower-case letters, digits and underscores")
        return value

    @field_validator("machines")
    @classmethod
    def _machine_names(cls, value):
        for name in value:
            check_machine_name(name)
        return value

    @field_validator("block_sizes", "block_sizes_cpu")
    @classmethod
    def _one_dimension(cls, value, info):
        for block in value:
            if len(block.extents) > 1:
                place = f"{info.field_name}_2d"
                raise ValueError(f"{block} has two dimensions: it belongs into {place}")
        return value

    @field_validator("backends")
    @classmethod
    def _known_backends(cls, value):
        known = sorted(backends.modules())
        for name in value or ():
            if name not in known:
                raise ValueError(f"no backend {name!r}; there are {', '.join(known)}")
        return value

    def sweep(self, kernel):
        """The Sweep of a kernel, with nothing overridden where it has no entry."""
        return (self.kernels or {}).get(kernel, Sweep())


def check_machine_name(name):
    """ValueError where results of a machine could not be kept under `name`."""
    if not re.fullmatch(MACHINE_NAME, name):
        raise ValueError(
            f"{_shown(name)} is no machine's name: a lower-case letter, then up to 63 of them, digits, _ and -"
        )
    if name in KEPT_NAMES:
        raise ValueError(f"{name!r} is no machine's name: reports/{name} holds something else")


class _Loader(yaml.SafeLoader):
    """YAML in which a key that is given twice is an error, since one of its values would be lost in silence, and so are
    aliases that a few lines blow up with; numbers are decimal, so that 1:30 is not 90 and 010 not 8."""

    depth = 0

    def compose_node(self, parent, index):
        self.depth += 1
        if self.depth > DEEPEST:
            what = f"it is nested more than {DEEPEST} deep"
            raise yaml.constructor.ConstructorError(None, None, what, self.peek_event().start_mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def get_single_node(self):
        node = super().get_single_node()
        if _expanded(node, {}) > MOST_NODES:
            what = f"with its aliases written out it has more than {MOST_NODES} values"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark)
        return node

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} is there twice", key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)


NUMBERS = {
    "int": r"[-+]?(?:0|[1-9][0-9_]*)",
    "float": r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|\.inf)|\.nan",
}
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag.rpartition(":")[2] not in NUMBERS]
    for first, known in _Loader.yaml_implicit_resolvers.items()
}
for _name, _pattern in NUMBERS.items():
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(rf"(?:{_pattern})\Z"), list("-+.0123456789"))


def _expanded(node, counted):
    """How many values a YAML node stands for with every alias written out; infinitely many where it holds itself."""
    if not isinstance(node, yaml.CollectionNode):
        return 1
    if id(node) not in counted:
        counted[id(node)] = math.inf
        parts = itertools.chain(*node.value) if isinstance(node, yaml.MappingNode) else node.value
        counted[id(node)] = 1 + sum(_expanded(part, counted) for part in parts)
    return counted[id(node)]


def read_data(path):
    """The mapping in a YAML file, nothing checked yet; InputError where it cannot be read or holds no mapping."""
    path = Path(path)
    try:
        with path.open("rb") as stream:
            text = stream.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise InputError(path, f"is longer than {MOST_BYTES} bytes", "Is it a configuration? Shorten it")
        data = yaml.load(text.decode("utf-8"), _Loader)
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}", "Name an existing configuration file") from None
    except UnicodeDecodeError:
        raise InputError(path, "is not UTF-8 text", "Save it as UTF-8") from None
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        where = f"{path}:{place.line + 1}" if place else path
        raise InputError(where, f"is not YAML: {getattr(error, 'problem', error)}", "Correct that line") from None
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"is not YAML: {error}", "Correct it; config/README.md shows examples") from None
    if data is None:
        raise InputError(path, "is empty", "Write {} into it to measure everything with the defaults")
    if not isinstance(data, dict):
        raise InputError(path, f"is a {type(data).__name__}, not a mapping", "Write `key: value` lines")
    return data


def typed(value):
    """`value` with numbers, truth values and null for the texts in it that say one as YAML writes it."""
    if isinstance(value, dict):
        return {key: typed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [typed(part) for part in value]
    try:
        meant = yaml.load(value, _Loader) if isinstance(value, str) else value
    except (yaml.YAMLError, ValueError):
        return value
    return meant if meant is None or isinstance(meant, (bool, int, float)) else value


def read(path):
    """The Config in a YAML file; InputError where it cannot be read, is no mapping or breaks the model."""
    return parse(read_data(path), path)


def parse(data, where="configuration"):
    """A Config from plain data; InputError names `where`, the key and the remedy."""
    if not isinstance(data, dict):
        raise InputError(where, f"is a {type(data).__name__}, not a mapping", "Write `key: value` lines")
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        raise InputError(where, *_explain(error)) from None


def check(config, where="configuration", broken=None):
    """{name: KernelFolder} of the kernels to measure; InputError for any name in `config` that matches nothing.

    broken  gets {name: InputError} of those that cannot be used; where None, or where all cannot, the first is raised
    """
    for path in config.kernels_path:
        if not Path(path).is_dir():
            raise InputError(where, f"kernels_path: there is no folder {path}", "Create it, or correct kernels_path")
    folders = catalog.find(config.kernels_path)
    names = list(folders) if config.kernels is None else list(config.kernels)
    if not names:
        raise InputError(where, f"kernels_path {list(config.kernels_path)} holds no kernel", "Add a kernel folder")
    for name in names:
        if name not in folders:
            raise InputError(where, f"kernels: no kernel {name!r}", f"Kernels here: {', '.join(folders) or 'none'}")
    loaded = dict(zip(names, catalog.load_each([folders[name] for name in names]), strict=True))
    unusable = {name: loaded.pop(name) for name in names if isinstance(loaded[name], InputError)}
    if unusable and (broken is None or not loaded):
        raise next(iter(unusable.values()))
    if unusable:
        broken.update(unusable)
    for folder in loaded.values():
        check_sweep(config, folder, where)
    every = {i for folder in loaded.values() for i in folder.implementations}
    for pattern in config.implementations:
        if not fnmatch.filter(every, pattern) and not unusable:
            raise InputError(where, f"implementations: {pattern!r} matches none", "See: python -m accelbench list")
    have = {dtype for folder in loaded.values() for dtype in folder.spec.dtypes}
    unknown = [dtype for dtype in config.dtypes or () if dtype not in DTYPES]
    if unknown or (config.dtypes and not have & set(config.dtypes) and not unusable):
        wrong = unknown[0] if unknown else config.dtypes[0]
        raise InputError(where, f"dtypes: no kernel has {wrong!r}", f"They have: {', '.join(sorted(have))}")
    return loaded


def check_sweep(config, folder, where="configuration"):
    """InputError where what `config` says of one kernel does not fit the kernel."""
    sweep, spec = config.sweep(folder.name), folder.spec

    def wrong(key, what, have):
        raise InputError(where, f"kernels.{folder.name}.{key}: {what}", f"It has: {', '.join(have) or 'none'}")

    for pattern in sweep.implementations or ():
        if not fnmatch.filter(folder.implementations, pattern):
            wrong("implementations", f"{pattern!r} matches none", folder.implementations)
    for dtype in sweep.dtypes or ():
        if dtype not in spec.dtypes:
            wrong("dtypes", f"{dtype!r} is not one of its dtypes", spec.dtypes)
    for block in sweep.block_sizes or ():
        if len(block.extents) > spec.block_dimensions:
            wrong("block_sizes", f"{block} has two dimensions", ["blocks of one dimension"])
    for option, values in sweep.options.items():
        if option not in spec.options:
            wrong("options", f"no option {option!r}", spec.options)
        for value in values:
            key = f"kernels.{folder.name}.options.{option}"
            if isinstance(spec.options[option], int) and not isinstance(value, int):
                raise InputError(
                    where, f"{key}: {value!r} is no whole number", f"Write one, like {spec.options[option]}"
                )
            try:
                catalog.try_options(folder, {**spec.options, option: value})
            except InputError as error:
                raise InputError(
                    where, f"{key}: {value!r} does not work: {error.problem}", f"Correct it, or {error.where}"
                ) from None


def chosen(config, folder):
    """The Implementations of a kernel that the configuration asks for, its baseline always among them."""
    patterns = config.sweep(folder.name).implementations or config.implementations
    served = config.backends or backends.modules()
    return {
        name: implementation
        for name, implementation in folder.implementations.items()
        if name == folder.spec.baseline
        or (implementation.backend in served and any(fnmatch.fnmatchcase(name, p) for p in patterns))
    }


def slice_for(config, kernel):
    """What of the configuration decides one kernel's measurements, as plain data for Snakemake's params."""
    data = config.model_dump(mode="json", exclude={"machines", "kernels"})
    data["kernels"] = {kernel: config.sweep(kernel).model_dump(mode="json", exclude_none=True)}
    return data


def to_repeat(recorded, machine):
    """The configuration that a run recorded, as plain data that ask for the same on the same machine; its `kernels`,
    which name one kernel alone, are left out."""
    return {name: value for name, value in recorded.items() if name != "kernels"} | {"machines": {machine: {}}}


# What pydantic calls mistakes, in the words of a person who writes YAML.
MISTAKES = {
    "tuple_type": "must be a list, in [ ] or with a dash on each line",
    "dict_type": "must be a mapping, `name: ...` lines",
    "model_type": "must be a mapping, `key: value` lines",
    "model_attributes_type": "must be a mapping, `key: value` lines",
    "too_long": f"has more than {MOST_ENTRIES} entries",
    "too_short": "is empty: name at least one, or leave the key out",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be text",
    "string_too_short": "is empty text",
    "string_pattern_mismatch": "holds characters that cannot stand there",
    "invalid_key": "is no key: keys are text",
}


def _explain(error):
    """(problem, remedy) of the first mistake pydantic found."""
    first = error.errors(include_url=False)[0]
    location = [part for part in first["loc"] if not re.match(r"(function-|tuple\[|\[key\])", str(part))]
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")
    kind, given = first["type"], first.get("input")
    if kind == "extra_forbidden":
        known = ", ".join(_keys_beside(first["loc"])) or "none"
        return f"unknown key {key!r}", f"Keys here: {known}. config/README.md explains each"
    message = re.sub(r"^(Value error|Assertion failed), ", "", first["msg"])
    message = MISTAKES.get(kind, re.sub(r"^Input should be ", "must be ", message))
    shown = (
        ""
        if kind in ("value_error", "too_short", "too_long") or isinstance(given, BaseModel)
        else f" (given: {_shown(given)})"
    )
    return f"{key}: {message}{shown}", "config/README.md explains the key and shows an example"


def _shown(value):
    """A value as it was given, no longer than a person reads."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def _keys_beside(location):
    """The keys that can stand where an unknown one was found."""
    model: Any = Config
    for part in location[:-1]:
        entries = {"kernels": Sweep, "machines": Machine}.get(part) if model is Config else None
        if entries is not None:
            model = {"entries": entries}
        elif isinstance(model, dict):
            model = model["entries"]
        else:
            model = model.model_fields[part].annotation
    return sorted(model.model_fields)
