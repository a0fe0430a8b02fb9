"""The pydantic models of the configuration: its sections, with keys and defaults. values.py has the types of values.

`tests/support/generated.py` writes the tables of `config/README.md` from the descriptions of the fields.
"""

import os
import re
import sys
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from accelbench import backends
from accelbench.config.values import (
    Block,
    Compiler,
    Compilers,
    Cost,
    Count,
    Flag,
    Fraction,
    GpuNumber,
    Options,
    Seconds,
    Size,
    Text,
    Threads,
    count,
    seconds,
    several,
)
from accelbench.environments import paths
from accelbench.environments.placement import Environment, homes, label
from accelbench.kernels.specification import MOST
from accelbench.model.names import ENVIRONMENT, MACHINE_NAME, NAME

OWN_PYTHON_ALONE = ("cffi", "cython")  # Toolchains that build only for the Python that runs accelbench
MOST_REPETITIONS = 1_000
COSTS = {"price_per_hour", "power_w"}  # Keys of a machine that do not affect measurements


def check_kernel_name(name: str) -> str:
    """Return `name`. Raise ValueError if it is not a valid name of a kernel."""
    if NAME.match(name):
        return name
    raise ValueError(f"{name!r} is not a valid name of a kernel: use lower-case letters, digits and underscores")


def check_backend(name: str) -> str:
    """Return `name`. Raise ValueError if there is no backend of this name."""
    if name in (known := sorted(backends.modules())):
        return name
    raise ValueError(f"there is no backend {name!r}: the backends are {', '.join(known)}")


def check_machine_name(name: str) -> str:
    """Return `name`. Raise ValueError if it is not a valid name of a machine."""
    if name == "examples":
        raise ValueError(f"{name!r} cannot be the name of a machine: reports/{name} contains other files")
    if re.fullmatch(MACHINE_NAME, name):
        return name
    raise ValueError(
        f"{name!r:.80} is not a valid name of a machine: "
        "write a lower-case letter, then up to 63 lower-case letters, digits, _ and -"
    )


KernelName = Annotated[str, AfterValidator(check_kernel_name)]
BackendName = Annotated[str, AfterValidator(check_backend)]
MachineName = Annotated[str, AfterValidator(check_machine_name)]


class Section(BaseModel):
    """Immutable section of the configuration. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class Repetitions(Section):
    """Minimum and maximum number of repetitions of a case. A whole number N stands for {min: N, max: N}."""

    min: count(MOST_REPETITIONS) = Field(
        2, description="repetitions of all cases but slow block sizes; later repetitions measure only cases in the race"
    )
    max: count(MOST_REPETITIONS) = Field(
        5, description="maximum repetitions of cases that may still win, or are undecided against NumPy"
    )

    @model_validator(mode="after")
    def _is_range(self):
        if self.min > self.max:
            raise ValueError(f"min is {self.min}, more than max, {self.max}")
        return self

    @property
    def is_race(self) -> bool:
        """Return whether cases may stop before the last repetition."""
        return self.min < self.max


def parse_repetitions(value):
    """Return {min: N, max: N} for a whole number N, and a mapping unchanged. Raise ValueError for anything else."""
    if isinstance(value, dict | Repetitions):
        return value
    if type(value) is int and 1 <= value <= MOST_REPETITIONS:
        return {"min": value, "max": value}
    known = f"write a whole number from 1 to {MOST_REPETITIONS}, or {{min: 2, max: 5}}"
    raise ValueError(f"{value!r:.80} is not a number of repetitions: {known}")


class Protocol(Section):
    """Settings of the measurements; docs/method.md gives the reasons for the defaults."""

    repetitions: Annotated[Repetitions, BeforeValidator(parse_repetitions)] = Field(
        Repetitions(),
        description="cases are measured `min` times, those still in the race up to `max` times (see below)",
    )
    startup: Flag = Field(
        True, description="record start-up times; workers of the first repetition then start one by one"
    )
    budget_s: Seconds = Field(0.08, description="seconds of samples per case and repetition")
    min_rounds: count(1_000_000) = Field(
        8, description="minimum number of samples per case and repetition, unless calls are long"
    )
    sample_s: Seconds = Field(
        0.004, description="least duration of a sample on the host, in seconds; a sample repeats calls until then"
    )
    sample_cache_s: Seconds = Field(
        0.005,
        description="least duration of a host sample, in seconds, for data of 1/4 to 4 times the last-level cache",
    )
    sample_device_s: Seconds = Field(
        0.001,
        description="least duration of a GPU sample, in seconds; less if launching takes 3 times as long as computing",
    )
    max_call_s: Seconds = Field(
        2.0, description="seconds; a case with a longer predicted call is `too_slow` and not called (see below)"
    )
    long_call_s: Seconds = Field(
        2.0, description="seconds; a case with longer calls has at most three samples of one call each (see below)"
    )
    timeout_s: seconds(0.1) = Field(
        60.0,
        description="seconds; a step that takes longer than `timeout_s` plus four times its prediction is a `timeout`",
    )
    energy_s: Seconds = Field(0.15, description="least duration of counting a GPU's energy, in seconds")
    cache: Literal["hot", "cold"] = Field(
        "hot", description="`cold` empties a device's cache before each launch, on GPUs and OpenCL devices only"
    )
    memory_fraction: Fraction = Field(0.6, description="share of the free memory that simultaneous processes may fill")
    seed: int = Field(
        20230308, ge=0, le=MOST, strict=True, description="seed of the random inputs and of all random orders"
    )


class Build(Section):
    """Compiler settings. An implementation adds its FLAGS and the flags of its VARIANTS."""

    cc: Compilers = Field(
        ("gcc",), description="the C compiler, a name or a path; in a list, each builds every C and Cython source"
    )
    cxx: Compilers = Field(("g++",), description="the C++ compiler, a name or a path; in a list, one for each of `cc`")
    fc: Compiler = Field("gfortran", description="the Fortran compiler, a name or a path")
    rustc: Compiler = Field("rustc", description="the Rust compiler, a name or a path")
    cflags: tuple[Text, ...] = Field(
        ("-O3", "-march=native"),
        description="flags of every C, C++, CFFI, Cython and Fortran build; an implementation's own flags are added",
    )
    opencl_flags: tuple[Text, ...] = Field((), description="flags of every OpenCL build")
    cuda_architectures: tuple[Annotated[str, Field(pattern=r"^sm_\d+a?$")], ...] = Field(
        ("sm_80", "sm_90"), description="architectures every CUDA source is compiled for, beside PTX"
    )
    timeout_s: Seconds = Field(
        600.0, description="seconds; a longer build is ended with all its processes, and its case is `build_failed`"
    )
    memory_gb: Annotated[float, Field(ge=0.1, le=1e6, strict=True)] = Field(
        4.0, description="maximum size of the data of each compiler process, in 10^9 bytes"
    )

    @model_validator(mode="after")
    def _pairs(self):
        if len(self.cc) != len(self.cxx):
            raise ValueError(f"cc has {len(self.cc)} compilers and cxx {len(self.cxx)}: name a C++ compiler for each")
        if len(set(map(label, self.cc))) < len(self.cc):
            raise ValueError(
                f"cc: {', '.join(self.cc)} have the same label: all implementations would end with @{label(self.cc[0])}"
            )
        return self

    def compiled_by(self, compiler: str) -> "Build":
        """Return the settings with only one C compiler (the first if `compiler` is "") and its C++ compiler."""
        at = self.cc.index(compiler) if compiler else 0
        return self.model_copy(update={"cc": self.cc[at : at + 1], "cxx": self.cxx[at : at + 1]})


class Sweep(Section):
    """Settings of one kernel that differ from those of the whole configuration."""

    sizes: several(Size) | None = Field(None, description="problem sizes instead of the preset's")
    dtypes: several(Text) | None = Field(None, description="dtypes instead of the common ones")
    implementations: several(Text) | None = Field(None, description="names or patterns instead of the common ones")
    options: Options = Field({}, description="the kernel's options, each with one value or several to sweep")
    block_sizes: several(Block) | None = Field(None, description="block sizes instead of the common ones")


class EnvironmentRequest(Section):
    """A separate Python for backends."""

    python: Text | None = Field(None, description="its executable; by default .venv-<name>/bin/python")
    backends: several(BackendName) | None = Field(
        None, description="its backends; by default those that need this environment"
    )

    def environment(self, name: str) -> Environment:
        """Return the Environment with this name."""
        served = self.backends or backends.of_environment(name.partition("@")[0])
        return Environment(name, paths.absolute(self.python or paths.default_python(name)), tuple(served))


class MachineRequest(Section):
    """A machine to measure on, and its costs. An empty mapping is this computer.

    All keys except `cores`, `price_per_hour` and `power_w` are resources that Snakemake requests from the scheduler of
    a cluster. Their names are those of Snakemake's executor plugin for this scheduler.
    """

    slurm_partition: Text | None = Field(None, description="SLURM: the partition")
    slurm_account: Text | None = Field(None, description="SLURM: the account that is charged")
    qos: Text | None = Field(None, description="SLURM: the quality of service")
    constraint: Text | None = Field(None, description="SLURM: features that only nodes of this type have")
    gpu: Count | None = Field(None, description="SLURM: the number of GPUs a job gets")
    gpu_model: Text | None = Field(None, description="SLURM: the GPUs' model, as the cluster calls it")
    requirements: Text | None = Field(None, description="HTCondor: an expression that only nodes of this type fulfil")
    request_gpus: Count | None = Field(None, description="HTCondor: the number of GPUs a job gets")
    price_per_hour: Cost | None = Field(None, description="pages: the price of an hour of the machine, in any currency")
    power_w: Cost | None = Field(None, description="pages: the power of the whole machine while it computes, in watts")
    cores: Count | None = Field(
        None, description="SLURM and HTCondor: number of cores to measure with; for HTCondor, all cores of a node"
    )

    @property
    def is_here(self):
        """Return whether this is the computer that Snakemake runs on, not a node of a cluster."""
        return not self.model_dump(exclude_none=True, exclude=COSTS)


REQUESTS = sorted(MachineRequest.model_fields.keys() - {"cores"} - COSTS)


class Config(Section):
    """The whole configuration of one sweep."""

    preset: Literal["smoke", "default", "lecture"] = Field(
        "default", description="which list of sizes in each kernel.py is used"
    )
    kernels_path: several(Text) = Field(("kernels",), description="folders searched for kernels")
    kernels: dict[KernelName, Sweep] | None = Field(
        None, min_length=1, description="kernels to measure: names, or a mapping from names to settings; by default all"
    )
    implementations: several(Text) = Field(
        ("*",), description="names or patterns of the implementations to measure, in every kernel"
    )
    dtypes: several(Text) | None = Field(None, description="dtypes to measure; by default all dtypes of each kernel")
    threads: several(Threads) = Field(
        (1, "all"), description="thread counts of threaded implementations; `all` is the number of cores"
    )
    sizes: several(Size) | None = Field(None, description="sizes for every kernel; by default those in each kernel.py")
    backends: several(BackendName) | None = Field(None, description="backends to measure; by default all")
    block_sizes: several(Block) = Field((32, 64, 128, 256, 512, 1024), description="threads per block, on GPUs")
    block_sizes_2d: several(Block) = Field(
        ("8x8", "16x16", "32x8", "32x32"), description="threads per two-dimensional block, on GPUs"
    )
    block_sizes_cpu: several(Block) = Field((64, 256), description="threads per block, on OpenCL devices that are CPUs")
    block_sizes_cpu_2d: several(Block) = Field(
        ("8x8", "16x16"), description="threads per two-dimensional block, on OpenCL devices that are CPUs"
    )
    devices: several(Text) = Field(("*",), description="names or patterns of the devices to use")
    device: GpuNumber = Field(0, description="number of the GPU to use, or `all`")
    peaks: Flag = Field(True, description="whether the machine's bandwidths and rates are measured, too")
    environments: dict[str, EnvironmentRequest] = Field({}, description="separate Pythons for backends")
    variables: tuple[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], ...] = Field(
        (), description="further environment variables that workers and compilers inherit"
    )
    machines: dict[MachineName, MachineRequest] = Field(
        {"local": MachineRequest()},
        min_length=1,
        description="names of the folders for results and reports; an empty mapping is this computer",
    )
    protocol: Protocol = Protocol()
    build: Build = Build()

    @field_validator("protocol", "build", mode="before")
    @classmethod
    def _empty_sections(cls, value):
        return {} if value is None else value

    @field_validator("kernels", "machines", "environments", mode="before")
    @classmethod
    def _empty_entries(cls, value, info):
        if isinstance(value, list) and info.field_name == "kernels":
            for name in value:
                if not isinstance(name, str):
                    raise ValueError(
                        f"{name!r:.80} is not a name of a kernel: write kernels with settings as a mapping"
                    )
            value = dict.fromkeys(value)
        return {k: {} if v is None else v for k, v in value.items()} if isinstance(value, dict) else value

    @field_validator("environments")
    @classmethod
    def _check_environments(cls, value):
        runs = {}
        for name, environment in value.items():
            if not re.fullmatch(ENVIRONMENT, name):
                raise ValueError(
                    f"{name!r:.80} is not a valid name of an environment: write a name such as torch or numba@0.67"
                )
            served = environment.environment(name).backends
            if not served:
                raise ValueError(
                    f"no backend is called {name.partition('@')[0]} or needs this environment: name some in `backends`"
                )
            for backend in served:
                if backends.toolchain(backend) in OWN_PYTHON_ALONE:
                    raise ValueError(f"{name} cannot have {backend}, which is built only for accelbench's own Python")
                version = name.partition("@")[2]
                if (other := runs.setdefault((backend, version), name)) != name:
                    raise ValueError(f"the backend {backend} is in both {other} and {name}")
        return value

    @field_validator("block_sizes", "block_sizes_cpu")
    @classmethod
    def _one_dimension(cls, value, info):
        for block in value:
            if len(block.extents) > 1:
                raise ValueError(f"{block} has two dimensions: it belongs into {info.field_name}_2d")
        return value

    @model_validator(mode="after")
    def _backends_with_a_place(self):
        served = {backend for place in self.places for backend in place.backends}
        for name in sorted(set(self.backends or ()) - served):
            if home := backends.environment(name):
                raise ValueError(f"backends: {name} needs an environment: write environments: {{{home}: {{}}}}")
        return self

    @property
    def places(self) -> list[Environment]:
        """Environments (separate Pythons in which backends run) of this configuration."""
        return [request.environment(name) for name, request in self.environments.items()]

    def with_every_environment(self) -> "Config":
        """Return the configuration with environments for all backends that need an environment and have none.

        If `make install` has made the environment of a backend, add this environment. Otherwise, add the Python that
        runs accelbench, in which the backend's library may be installed.
        """
        added = {}
        for backend in sorted(backends.modules().keys() - homes(self.places).keys()):
            if name := backends.environment(backend):
                made = os.path.exists(paths.absolute(paths.default_python(name)))
                served = (*(added[name].backends if name in added else ()), backend)
                added[name] = EnvironmentRequest(python=None if made else sys.executable, backends=served)
        return self.model_copy(update={"environments": self.environments | added})

    def sweep(self, kernel):
        """Return the Sweep of a kernel. If `kernels` has no entry for this kernel, return an empty Sweep."""
        return (self.kernels or {}).get(kernel, Sweep())

    def own_sizes(self, kernel):
        """Return the sizes that the configuration sets for a kernel, or None if the kernel's own sizes apply."""
        return self.sweep(kernel).sizes or self.sizes

    def part(self, *, kernels=None, backends=None, sizes=None):
        """Return {key: value} of a configuration that selects only these kernels, backends and sizes.

        The kernels keep their settings. If `sizes` is given, it replaces the sizes in these settings, too.
        """
        written = {"mode": "json", "exclude_none": True, "exclude": {"sizes"} if sizes else None}
        sweeps = {kernel: self.sweep(kernel).model_dump(**written) for kernel in kernels or ()}
        return {key: value for key, value in (("kernels", sweeps), ("backends", backends), ("sizes", sizes)) if value}
