"""Toolchains build the native sources of implementations into artifacts, the files that workers load.

An implementation names its sources in SOURCES, compiler flags in FLAGS, and flags of its variants in VARIANTS.

A toolchain's module imports its libraries only inside functions. The module must define

    TOOLCHAIN = "c"                         name by which implementations choose the toolchain. The toolchain needs no
                                            entry in any other list
    SUFFIXES = (".c", ".h")                 endings of sources and of the files that sources include. The build jobs of
                                            a kernel run again if a file in SOURCES changes, or a file in the kernel's
                                            folder with such an ending
    version(implementation, config, device) returns the compiler's name and version. Raises BuildError if there is no
                                            compiler
    step(task, folder)                      writes generated files into `folder`/work. Returns a BuildStep, the command
                                            that makes the artifact in `folder`. Raises BuildError with the translator's
                                            message. Several threads call `step`. contract.py defines Task and
                                            BuildStep. translation.run runs a translator in a separate process

The module may define the following names, which have defaults:

    built(implementation)                   returns the names of the sources that become artifacts; by default, all
                                            sources with an ending in SUFFIXES, except headers (compiler.HEADERS)
    PER_DEVICE = False                      whether a separate artifact is built for each device
    files(implementation, source)           returns [Path, ...] of the files that determine the artifact of `source`; by
                                            default, the source. The caller adds the files that these files include
    flags(implementation, config)           returns the compiler's flags; by default, the configured cflags, then the
                                            implementation's flags. If -march=generic is among these flags, flags that
                                            name a processor are left out
    open(path)                              returns the value of case.artifact(source) in a worker; by default, the
                                            module if the file is an extension module, else the path as text

An implementation may choose its toolchain, for example by TOOLCHAIN = "c". Otherwise it gets the toolchain that
BACKENDS in the backend's module names.

Every artifact lies in a folder named after its source and its recipe, a digest of everything that determines the
artifact. The build makes this folder under a temporary name and renames it when it is complete. So a folder with a
recipe's name is complete, and later builds use it even if the manifest of the earlier build is lost.
"""

import errno
import itertools
import os
import shlex
import shutil
import sysconfig
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

from accelbench import discovery, project
from accelbench.errors import InputError
from accelbench.model.artifact import Artifact, Manifest
from accelbench.processes.supervision import clean_environment, inherited_settings, signal_name
from accelbench.store import files
from accelbench.toolchains import compiler, contract, sources

# Version of the build process, part of every recipe. Increase it if a change must invalidate older artifacts
RECIPE_VERSION = 1
PYTHON_HEADERS = sysconfig.get_path("include")
DISK_IS_FULL = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT)))
LONGEST_LOG = 20_000  # Maximum length of a log, in characters
MOST_COMPILERS = 16  # Maximum number of compilers that run at the same time
# Name of the file with an Artifact's fields. A folder that contains this file is a complete build
COMPLETE = "complete.json"


@cache
def modules():
    """Return {name: Toolchain} of the modules of this package."""
    toolchains = discovery.find(__name__, __path__, check=contract.check, stand_in=contract.BrokenToolchain)
    return {module.TOOLCHAIN: contract.Toolchain(module) for module in sorted(toolchains, key=lambda m: m.TOOLCHAIN)}


def suffixes():
    """Return the file endings in the SUFFIXES of all toolchains."""
    return {suffix for module in modules().values() for suffix in module.SUFFIXES}


def needed(folder, implementations=None):
    """Return the sorted names of the toolchains that implementations of a KernelFolder need.

    implementations  names of the implementations; None: all implementations of the folder
    """
    chosen = folder.implementations if implementations is None else implementations
    return sorted({folder.implementations[name].toolchain for name in chosen} - {None})


def compiler_version(implementation, config, device=None):
    """Return the name and version of the compiler that builds an implementation; "" if there is nothing to build.

    config  a config.Build
    device  the Device, if the toolchain builds a separate artifact for each device

    If the compiler is missing, return the error message ("gcc not found: ..."). Digests then contain this message.
    """
    module = modules().get(implementation.toolchain)
    try:
        return module.version(implementation, config.compiled_by(implementation.compiler), device) if module else ""
    except (compiler.BuildError, InputError) as failure:
        return str(failure)


def all_flags(implementation, config):
    """Return all compiler flags of an implementation, including the configured flags."""
    module = modules().get(implementation.toolchain)
    return module.flags(implementation, config) if module else implementation.flags


def recipe(implementation, source, config, *, compiled_by):
    """Return the digest of everything that determines the artifact of `source`.

    compiled_by  name and version of the compiler

    The digest covers the text of the source, flags, compiler, toolchain and inherited environment variables. The
    digest also covers the files that the source includes with quotes or cimports, directly or indirectly. If a flag
    ends in "=native", the digest covers the processor, too. Paths of files are relative to the kernel's folder. Headers
    in SOURCES have recipes, although these headers have no artifacts.
    """
    module = modules().get(implementation.toolchain)
    roots = module.files(implementation, source) if module else [implementation.path.parent / source]
    flags = all_flags(implementation, config)
    native = compiler.cpu() if any(flag.endswith("=native") for flag in flags) else None
    return files.digest(
        RECIPE_VERSION,
        implementation.toolchain or "",
        discovery.code_digest(module.__file__) if module else "",
        flags,
        native,
        compiled_by,
        inherited_settings(),
        *sources.texts(roots, implementation.path.parent),
    )


def load(path):
    """Return the Manifest in a file. Raise InputError if the file is missing, truncated or of another schema."""
    from accelbench.store import formats  # lazy import: workers import this package but do not need `formats`

    return formats.read(Manifest, path, "Delete it and run again: the build stage writes it")


def open_artifact(artifact, manifest_folder, toolchain):
    """Return the value of case.artifact(source): a path (toolchain "c") or an extension module (toolchain "cffi").

    Raise InputError if the build failed, or if the built file was deleted or lies on a file system mounted noexec.
    """
    if artifact.outcome != "ok":
        raise InputError(f"{artifact.implementation}: {artifact.source}", "was not built", artifact.log)
    path = Path(manifest_folder).resolve() / artifact.path
    if not path.is_file():
        raise InputError(
            path, "the build's result is gone", f"Delete {toolchain}.json beside the folder {toolchain} and run again"
        )
    if path.suffix == ".so" and os.statvfs(path).f_flag & os.ST_NOEXEC:
        raise InputError(
            path,
            "lies on a file system that is mounted noexec",
            "Use a folder on another file system: run --directory DIR",
        )
    return modules()[toolchain].open(path)


def build(folder, toolchain, out_dir, *, config, devices=()):
    """Build the artifacts of one toolchain for the implementations of a KernelFolder. Return the Manifest.

    config   a config.Build
    devices  the Devices of the backend, if the toolchain builds a separate artifact for each device

    Artifacts lie under out_dir/<toolchain>/. Paths in the manifest are relative to out_dir, the manifest's folder. Code
    that kernels share lies in the folder .shared beside out_dir. A failed build raises no exception: the manifest
    records the failure as the artifact's outcome. Raise OSError if the disk is full.
    """
    (manifest,) = build_each({Path(out_dir): folder}, toolchain, config=config, devices=devices)
    return manifest


def build_each(folders, toolchain, *, config, devices=()):
    """Build several KernelFolders, {out_dir: folder}, in parallel, as `build` does for one. Return their Manifests."""
    folders = {out_dir.resolve(): folder for out_dir, folder in folders.items()}
    module = modules()[toolchain]
    devices = list({device.name: device for device in devices}.values()) if module.PER_DEVICE else [None]
    planned, results = {out_dir: [] for out_dir in folders}, {}
    temporary = next(iter(folders)) / toolchain / f".building-{os.getpid()}"
    pool = ThreadPoolExecutor(min(len(os.sched_getaffinity(0)), MOST_COMPILERS))
    with files.temporary_files(temporary), pool:
        for out_dir, folder in folders.items():
            for i, source, device in _artifacts(folder, toolchain, devices):
                compiler_config, version = config.compiled_by(i.compiler), compiler_version(i, config, device)
                task = contract.Task(i, source, device, compiler_config, version, out_dir.parent / ".shared")
                key = recipe(i, source, config, compiled_by=task.compiler)
                planned[out_dir].append((key, task.names))
                if (out_dir, key) not in results:
                    target = out_dir / toolchain / f"{Path(source).stem}-{key[:12]}"
                    results[out_dir, key] = pool.submit(_make, task, key, target)
    manifests = []
    for out_dir, folder in folders.items():
        artifacts = [replace(results[out_dir, key].result(), **names) for key, names in planned[out_dir]]
        if any(words in a.log for a in artifacts if a.outcome != "ok" for words in DISK_IS_FULL):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(out_dir / toolchain))
        _remove_unused(out_dir, out_dir / toolchain, artifacts)
        manifests.append(Manifest(folder.name, toolchain, artifacts))
    return manifests


def _artifacts(folder, toolchain, devices):
    """Yield (implementation, source, device) of every artifact that a toolchain builds for a KernelFolder."""
    for implementation in folder.implementations.values():
        if implementation.toolchain == toolchain:
            yield from itertools.product([implementation], modules()[toolchain].built(implementation), devices)


def _make(task, key, target):
    """Return the Artifact of an earlier build with the same recipe if there is one. Otherwise build the Task."""
    from accelbench.store import formats

    if artifact := _built_before(target, key):
        return artifact
    module = modules()[task.implementation.toolchain]
    begin, command = time.perf_counter(), None
    temporary = target.with_name(f".building-{target.name}-{os.getpid()}")

    def ended(outcome, log, **more):
        """Return the Artifact. Remove the paths of the kernel, the build and the project from its log."""
        for folder in (temporary, task.folder, project.ROOT):
            log = log.replace(f"{folder}/", "")
        log = _shortened(log)
        seconds = round(time.perf_counter() - begin, 3)
        made = {"outcome": outcome, "log": log, "command": command, "seconds": seconds, "compiler": task.compiler}
        return Artifact(**task.names, **made, recipe=key, **more)

    try:
        module.version(task.implementation, task.config, task.device)
        shutil.rmtree(temporary, ignore_errors=True)
        (temporary / "work").mkdir(parents=True)
        step = module.step(task, temporary)
        command = _shown(step, temporary)
        log = _compile(step, task, temporary)
        there = f"{target.parent.name}/{target.name}"
        built = ended("ok", log, path=f"{there}/{step.artifact}", page=step.page and f"{there}/{step.page}")
        shutil.rmtree(temporary / "work")
        formats.write(temporary / COMPLETE, built)
        shutil.rmtree(target, ignore_errors=True)
        temporary.rename(target)
        return built
    except (compiler.BuildError, InputError) as failure:
        return ended("build_failed", str(failure), remedy=failure.remedy)
    except OSError as error:
        return ended("build_failed", f"{error.strerror}: {error.filename}" if error.filename else str(error))
    except Exception:
        # An unexpected exception of a toolchain fails only this artifact. The run continues.
        return ended("build_failed", traceback.format_exc())
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _built_before(target, key):
    from accelbench.store import formats

    try:
        artifact = formats.read(Artifact, target / COMPLETE, "")
    except InputError:
        return None
    return (
        artifact if artifact.recipe == key and artifact.path and (target.parents[1] / artifact.path).is_file() else None
    )


def _shown(step, temporary):
    """Return a BuildStep's command as a person would type it, without the folders of the build and the compiler."""
    program, *arguments = (argument.removeprefix(f"{temporary}/") for argument in step.arguments)
    shown = shlex.join([Path(program).name, *arguments]).replace(f"-I{PYTHON_HEADERS}", "$(python3-config --includes)")
    return f"{step.before} && {shown}" if step.before else shown


def _compile(step, task, temporary):
    """Run a BuildStep in the kernel's folder and return its log. Raise BuildError if it fails or makes no artifact."""
    environment = {**clean_environment(), "LC_ALL": "C", **step.environment}
    status, log = compiler.run(step.arguments, task.config, cwd=task.folder, env=environment)
    left = (temporary / step.artifact).is_file()
    if status < 0:
        log += f"\nthe compiling process died of {signal_name(-status)}"
    elif status == 0 and not left:
        log += f"\nthe command succeeded, but did not write {step.artifact} into the argument `folder` of `step`"
    if status or not left:
        raise compiler.BuildError(log.strip() or f"the compiler ended with status {status}")
    return log


def _shortened(log):
    """Return a log, without its middle if it is too long.

    Compilers print the cause of a failure first, and crashing processes print the cause last.
    """
    half, left_out = LONGEST_LOG // 2, len(log) - LONGEST_LOG
    return log if left_out <= 0 else f"{log[:half]}\n[{left_out} characters left out]\n{log[-half:]}"


def _remove_unused(out_dir, home, artifacts):
    """Delete artifacts that no implementation uses, and temporary folders of killed builds."""
    used = {(out_dir / artifact.path).parent for artifact in artifacts if artifact.path}
    for folder in set(home.glob("*")) - used:
        shutil.rmtree(folder, ignore_errors=True)
