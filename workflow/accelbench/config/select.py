"""Select the kernels, implementations, sizes, dtypes, options and block sizes that a configuration names.

Relative paths of folders start at the project's folder, not at the current folder. So the command line and Snakemake
(also with `-s`, `-d` or `module`) find the same kernels from every current folder.
"""

import fnmatch
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from accelbench import backends, project
from accelbench.config.model import Build, Config, MachineRequest, Protocol, Sweep
from accelbench.config.reading import parse, typed
from accelbench.environments.placement import matching, place
from accelbench.errors import InputError
from accelbench.kernel import DTYPES
from accelbench.kernels import catalog, reading
from accelbench.kernels.folder import KernelFolder
from accelbench.kernels.implementation import Implementation, read_implementation
from accelbench.model.parameters import BLOCK_SIZE, BlockSize
from accelbench.verify import trial


@dataclass(frozen=True)
class EffectiveConfig:
    """A configuration as it applies to one kernel.

    config  the Config of this kernel alone
    whole   the Config of all kernels; None if the user named a single case
    """

    config: Config
    kernel: KernelFolder
    whole: Config | None = None

    @classmethod
    def of(cls, config: Config, kernel: KernelFolder) -> "EffectiveConfig":
        """Return the EffectiveConfig of a KernelFolder.

        Kernels that measure the machine's peaks (bandwidths and rates) get all implementations. One thread is always
        among their thread counts, since single-threaded cases are compared with the peak of one thread.
        """
        alone = {"machines": {"local": MachineRequest()}, "kernels": {kernel.name: config.sweep(kernel.name)}}
        if kernel.path.parent == project.PEAKS:
            alone |= {"implementations": ("*",), "backends": None, "sizes": None, "kernels": {kernel.name: Sweep()}}
            alone |= {"threads": tuple(dict.fromkeys((1, *config.threads)))}
        return cls(config.model_copy(update=alone), place(config.places, kernel, config.build.cc), config)

    @property
    def protocol(self) -> Protocol:
        return self.config.protocol

    @property
    def build(self) -> Build:
        return self.config.build

    @property
    def sweep(self) -> Sweep:
        """Settings of this kernel only."""
        return self.config.sweep(self.kernel.name)

    @cached_property
    def implementations(self) -> dict[str, Implementation]:
        """{name: Implementation} of the chosen implementations, always with the baseline."""
        patterns = self.sweep.implementations or self.config.implementations
        served = self.config.backends or backends.modules()
        chosen = matching(self.kernel.implementations, patterns)
        return {
            name: implementation
            for name, implementation in self.kernel.implementations.items()
            if name == self.kernel.spec.baseline or (implementation.backend in served and name in chosen)
        }

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.config.own_sizes(self.kernel.name) or self.kernel.spec.sizes[self.config.preset]

    @property
    def sizes_gpu(self) -> tuple[int, ...]:
        """Further sizes, at which only cases on GPUs and baselines are measured."""
        if self.config.own_sizes(self.kernel.name) or self.config.preset == "smoke":
            return ()
        return tuple(size for size in self.kernel.spec.sizes_gpu if size not in self.sizes)

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Chosen dtypes that the kernel has, or all dtypes of the kernel if it has none of the chosen dtypes."""
        known = self.kernel.spec.dtypes
        asked = self.sweep.dtypes or self.config.dtypes or known
        return tuple(dtype for dtype in known if dtype in asked) or tuple(known)

    @property
    def options(self) -> dict[str, tuple[int | float, ...]]:
        """{option of the kernel: values to measure}, by default the one value in kernel.py."""
        return {name: self.sweep.options.get(name, (default,)) for name, default in self.kernel.spec.options.items()}

    def block_sizes(self, device_kind: str) -> tuple[BlockSize, ...]:
        """Return the block sizes of a "cpu" or a "gpu", in as many dimensions as the kernel has."""
        dimensions, config = self.kernel.spec.block_dimensions, self.config
        common = {
            ("cpu", 1): config.block_sizes_cpu,
            ("cpu", 2): config.block_sizes_cpu_2d,
            ("gpu", 1): config.block_sizes,
            ("gpu", 2): config.block_sizes_2d,
        }
        blocks = self.sweep.block_sizes or common[device_kind, dimensions]
        return tuple(b if len(b.extents) == dimensions else BlockSize((*b.extents, 1)) for b in blocks)

    def sources(self) -> set[Path]:
        """Return every file that can change the kernel's computation or its results."""
        chosen = {
            implementation.path for implementation in self.implementations.values() if implementation.path.is_file()
        }
        return {*chosen, *self.kernel.native_sources(), *self.kernel.data_files()}


def kernel_folders(config: Config) -> tuple[str, ...]:
    """Return the absolute paths of the folders that are searched for kernels.

    If `peaks` is true, the last folder is workflow/peaks/, whose kernels measure the machine's peaks.
    """
    paths = [str(project.ROOT / project.at_home(path)) for path in config.kernels_path]
    return tuple(dict.fromkeys([*paths, str(project.PEAKS)] if config.peaks else paths))


def find(config: Config) -> dict[str, Path]:
    """Return {name: path} of all kernels in kernel_folders(config), even of kernels that are not chosen."""
    return catalog.find(kernel_folders(config))


def effective_configs(config: Config) -> Iterator[EffectiveConfig]:
    """Yield the EffectiveConfig of each kernel that a Config chooses.

    Skip kernels that measure the machine's peaks, and kernels that cannot be loaded.
    """
    for name, path in catalog.find(kernel_folders(config.model_copy(update={"peaks": False}))).items():
        if config.kernels is None or name in config.kernels:
            with suppress(InputError):
                yield EffectiveConfig.of(config, trial.load(path))


def load(config: Config, name: str, where: Any = "configuration") -> KernelFolder:
    """Return the kernel `name`. Raise InputError if there is no such kernel, or if its settings do not fit the kernel.

    where  text that names the configuration's files in the error message
    """
    paths = find(config)
    if name not in paths:
        raise InputError(name, "no such kernel", f"Kernels here: {', '.join(paths) or 'none'}")
    kernel = trial.load(paths[name])
    check_sweep(config, place(config.places, kernel, config.build.cc), where)
    return kernel


def effective(config: Config, name: str, where: Any = "configuration") -> EffectiveConfig:
    """Return the EffectiveConfig of the kernel `name`. Raise InputError as `load` does."""
    return EffectiveConfig.of(config, load(config, name, where))


def with_case(config: EffectiveConfig, case_id: str) -> EffectiveConfig:
    """Return the EffectiveConfig that chooses one case by its name. Raise InputError if the kernel has no such case.

    The device is checked later, by the plan of cases.
    """
    if case_id.count("/") < 4:
        raise InputError(
            case_id, "is not a valid name of a case", "Names look like vector_sum/cffi_api/float64/1000/cpu/threads=1"
        )
    _, implementation, dtype, size, *named = case_id.split("/")
    parameters = typed(dict(part.split("=", 1) for part in named if "=" in part))
    sweep = {
        "implementations": [implementation],
        "dtypes": [dtype],
        "sizes": [typed(size)],
        "options": {name: parameters[name] for name in config.kernel.spec.options if name in parameters},
        "block_sizes": [parameters[BLOCK_SIZE]] if BLOCK_SIZE in parameters else None,
    }
    asked = {"kernels": {config.kernel.name: sweep}, "backends": None, "devices": ["*"], "device": "all"}
    asked |= {name: [value] for name, value in parameters.items() if name == "threads"}
    wider = parse(config.config.model_dump(mode="json") | asked, case_id)
    if implementation not in config.kernel.implementations:
        wider = wider.with_every_environment()
    kernel = place(wider.places, catalog.load(config.kernel.path), wider.build.cc)
    check_sweep(wider, kernel, case_id)
    return EffectiveConfig(wider, kernel)


def plan(config: Config, where: Any) -> tuple[dict[str, EffectiveConfig], dict[str, InputError]]:
    """Return ({name: EffectiveConfig} of everything to measure, {name: InputError} of the kernels that are unusable).

    The chosen kernels come first. If `peaks` is true, the kernels that measure the machine's peaks follow. The kernel
    that measures writing is included only if a chosen kernel writes memory and reads none.

    If a setting matches nothing, raise InputError with `where` and the key. If no kernel can be used, raise the error
    of the first kernel.
    """
    kernels, unusable = _load_chosen(config, where)
    _check_implementations(config, kernels, where, complete=not unusable)
    _check_dtypes(config, kernels, where, complete=not unusable)
    find(config)  # raises InputError if two kernels have the same name, even if they are not chosen
    if config.peaks:
        writing = any(map(_only_writes, kernels.values()))
        for name, path in catalog.find([project.PEAKS]).items():
            if name in kernels:
                raise InputError(
                    kernels[name].path,
                    f"the name {name!r} is reserved for a kernel that measures the machine",
                    "Rename the kernel",
                )
            peak = trial.load(path)
            if writing or not _only_writes(peak):
                kernels[name] = peak
    return {name: EffectiveConfig.of(config, kernel) for name, kernel in kernels.items()}, unusable


def _load_chosen(config, where):
    """Return ({name: KernelFolder}, {name: InputError}) of the kernels that `config` names, or of all kernels."""
    paths = kernel_folders(config.model_copy(update={"peaks": False}))
    for path in paths:
        if not Path(path).is_dir():
            raise InputError(where, f"kernels_path: there is no folder {path}", "Create it, or correct kernels_path")
    folders = catalog.find(paths)
    names = list(folders if config.kernels is None else config.kernels)
    if not names:
        raise InputError(where, f"kernels_path: there is no kernel in {', '.join(paths)}", "Add a kernel folder")
    for name in names:
        if name not in folders:
            raise InputError(where, f"kernels: no kernel {name!r}", f"Kernels here: {', '.join(folders) or 'none'}")
    kernels, unusable = {}, {}
    for name, kernel in zip(names, trial.load_each([folders[name] for name in names]), strict=True):
        if isinstance(kernel, InputError):
            unusable[name] = kernel
            continue
        kernel = place(config.places, kernel, config.build.cc)
        check_sweep(config, kernel, where)
        try:
            if sizes := config.own_sizes(name):
                trial.try_options(kernel, kernel.spec.options, sizes)
            kernels[name] = kernel
        except InputError as error:
            unusable[name] = error
    if not kernels:
        raise unusable[names[0]]
    return kernels, unusable


def _check_implementations(config, kernels, where, *, complete):
    """Raise InputError for a pattern in `implementations` that matches no implementation of any kernel.

    A pattern that matches only in kernels that are not chosen is no error, since a run may measure a part of a
    configuration. At least one pattern must match in a chosen kernel.

    complete  whether all chosen kernels were loaded; if not, nothing is checked, since a pattern may match a kernel
              that was not loaded
    """
    chosen = {name for kernel in kernels.values() for name in kernel.implementations}
    for pattern in config.implementations if complete else ():
        if matching(chosen, [pattern]):
            continue
        _check_left_out(kernels.values(), pattern, f"{where}: implementations")
        files = [file for path in find(config).values() for file in reading.listed(path)]
        known = matching([file.stem for file in files], [pattern]) or matching(_variants(files), [pattern])
        if not known or not matching(chosen, config.implementations):
            raise InputError(
                where, f"implementations: {pattern!r} matches no implementation", "See: python -m accelbench list"
            )


def _variants(files):
    """Yield the names of all implementations and variants in files of kernels. Skip files that cannot be read."""
    for file in files:
        if backends.of(file.stem) and file.suffix in (".py", ".pyx"):
            with suppress(InputError):
                yield from (implementation.name for implementation in read_implementation(file))


def _check_dtypes(config, kernels, where, *, complete):
    """Raise InputError if `dtypes` contains an unknown name, or if no chosen kernel has one of these dtypes.

    Kernels with `dtypes` in their own settings do not count.
    """
    following = {name: kernel for name, kernel in kernels.items() if not config.sweep(name).dtypes}
    have = {dtype for kernel in (following or kernels).values() for dtype in kernel.spec.dtypes}
    asked = config.dtypes if following else ()
    unknown = [dtype for dtype in config.dtypes or () if dtype not in DTYPES]
    if unknown or (asked and complete and not have.intersection(asked)):
        raise InputError(
            where, f"dtypes: no kernel has {(unknown or asked)[0]!r}", f"They have: {', '.join(sorted(have))}"
        )


def _check_left_out(kernels, pattern, where):
    """Raise InputError if a pattern matches an implementation whose environment is not configured."""
    left_out = [i for kernel in kernels for i in kernel.left_out.values() if fnmatch.fnmatchcase(i.name, pattern)]
    for name in (implementation.needed_environment for implementation in left_out):
        raise InputError(
            where,
            f"{pattern!r} needs the environment {name}",
            f"Write environments: {{{name}: {{}}}}, and make it: make install LOCK={name}",
        )


def _only_writes(kernel):
    """Return whether a kernel writes memory and reads none."""
    spec = kernel.spec
    read, written, _ = kernel.cost(max(map(max, spec.sizes.values())), np.dtype(spec.dtypes[0]).itemsize, spec.options)
    return written is not None and written > 0 == read


def check_sweep(config: Config, kernel: KernelFolder, where: Any = "configuration") -> None:
    """Raise InputError if the settings of a kernel do not fit the kernel. The error names `where` and the key."""
    sweep, spec = config.sweep(kernel.name), kernel.spec

    def wrong(key, what, have):
        raise InputError(where, f"kernels.{kernel.name}.{key}: {what}", f"The kernel has: {', '.join(have) or 'none'}")

    for size in config.own_sizes(kernel.name) or ():
        if size < spec.smallest:
            key = f"kernels.{kernel.name}.sizes" if sweep.sizes else "sizes"
            raise InputError(
                where, f"{key}: {size} is below the smallest size of {kernel.name}", f"Write {spec.smallest} or more"
            )
    for pattern in sweep.implementations or ():
        if not matching(kernel.implementations, [pattern]):
            _check_left_out([kernel], pattern, f"{where}: kernels.{kernel.name}.implementations")
            wrong("implementations", f"{pattern!r} matches no implementation", kernel.implementations)
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
            what = f"kernels.{kernel.name}.options.{option}: {value!r}"
            if isinstance(spec.options[option], int) and not isinstance(value, int):
                raise InputError(where, f"{what} is not a whole number", f"Write one, such as {spec.options[option]}")
            try:
                trial.try_options(kernel, {**spec.options, option: value}, EffectiveConfig.of(config, kernel).sizes)
            except InputError as error:
                raise InputError(
                    where, f"{what} does not work: {error.problem}", f"Change the value, or correct {error.where}"
                ) from None
