"""Toolchain "cuda": compile each .cu to machine code for the configured architectures, and to PTX for later ones.

The build needs no GPU. nvcc makes one fatbin for all architectures. Without nvcc, CuPy calls NVRTC, which makes a cubin
for each architecture and a file of PTX. An index file, with the ending .cubins, lists these files. `choose` selects the
file for a device, as the driver does within a fatbin. The build's log has the compiler's report: registers, shared
memory and spills.

NVRTC runs in a separate process, which runs this module as a program: `SOURCE INDEX ARCHITECTURES OPTION...`.
"""

import json
import os
import re
import shutil
import sys
from functools import cache
from pathlib import Path

from accelbench.processes.supervision import ask
from accelbench.toolchains.compiler import VERSION_S, BuildError
from accelbench.toolchains.contract import BuildStep

TOOLCHAIN = "cuda"
SUFFIXES = (".cu", ".cuh", ".h")
REPORT = "--ptxas-options=-v"


def flags(implementation, config):
    """Return a flag for each architecture, then the implementation's flags."""
    code = [*config.cuda_architectures, _virtual(max(config.cuda_architectures, key=_order))]
    return (*(f"-arch={name}" for name in code), *implementation.flags)


def version(implementation, config, device=None):
    """Return the version of nvcc or, without nvcc, of NVRTC and CuPy. Raise BuildError if neither compiler works."""
    compiler = nvcc(config)
    return compiler[1] if compiler else _nvrtc_version()


def step(task, folder):
    """Return the BuildStep of nvcc, or of a process with NVRTC if there is no nvcc."""
    compiler, options = nvcc(task.config), task.implementation.flags
    architectures = sorted(set(task.config.cuda_architectures), key=_order)
    artifact = task.source.rsplit(".", 1)[0] + (".fatbin" if compiler else ".cubins")
    output = str(folder / artifact)
    if compiler:
        targets = (*architectures, _virtual(architectures[-1]))
        code = [f"-gencode=arch={_virtual(name)},code={name}" for name in targets]
        arguments = [compiler[0], "-fatbin", f"-ccbin={task.config.cxx[0]}", *code, REPORT, "-I.", *options]
        arguments += ["-o", output, task.source]
    else:
        arguments = [sys.executable, "-P", "-W", "ignore", "-m", __name__, task.source, output]
        arguments += [",".join(architectures), REPORT, "-I.", *options]
    return BuildStep(arguments, artifact, environment={"TMPDIR": str(folder / "work")})


def choose(path, capability):
    """Return the file for a device of compute capability (major, minor): a fatbin itself, or a file in an index.

    The rules are those of the driver. Machine code for an architecture also runs on later architectures with the same
    major number. PTX runs on all later architectures. If the name of an architecture ends in "a", code for it runs on
    no other architecture. If several files fit, choose machine code before PTX, then the latest architecture. Raise
    NotImplementedError if no file fits.
    """
    path = Path(path)
    if path.suffix != ".cubins":
        return str(path)
    index = json.loads(path.read_text(encoding="utf-8"))
    fitting = [name for name in index if _runs(name, capability)]
    if fitting:
        return str(path.parent / index[max(fitting, key=lambda name: (not _is_virtual(name), _order(name)))])
    target, built = "sm_{}{}".format(*capability), ", ".join(name for name in index if not _is_virtual(name))
    raise NotImplementedError(
        f"the code is built for {built}, but this device is {target}: add {target} to build.cuda_architectures"
    )


def _runs(architecture, capability):
    minimum, _ = _order(architecture)
    if minimum == capability or architecture.endswith("a"):
        return minimum == capability
    return minimum < capability and (_is_virtual(architecture) or minimum[0] == capability[0])


def _order(architecture):
    """Return (capability, name): ((9, 0), "sm_90a") for "sm_90a". The last digit is the minor version."""
    return divmod(int(re.sub(r"\D", "", architecture)), 10), architecture


def _is_virtual(architecture):
    return architecture.startswith("compute_")


def _virtual(architecture):
    return architecture.replace("sm_", "compute_")


def nvcc(config):
    """Return (path, version) of nvcc on PATH or in CUDA_HOME or CUDA_PATH; None if nvcc is missing or does not work.

    nvcc uses the preprocessor of the configured C++ compiler. If this compiler is missing, return None, too.
    """
    folders = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    program = shutil.which("nvcc") or shutil.which("nvcc", path=os.pathsep.join(f"{f}/bin" for f in folders if f))
    if program is None or shutil.which(config.cxx[0]) is None:
        return None
    path = str(Path(program).absolute())
    release = _release(path)
    return release and (path, release)


@cache
def _release(path):
    status, words = ask([path, "--version"], VERSION_S)
    release = re.search(r"\bV[\d.]+", words)
    return f"nvcc {release[0]}" if release and status == 0 else None


@cache
def _nvrtc_version():
    """Return the versions of NVRTC and CuPy. A separate process imports CuPy, because the import is slow."""
    code = "import cupy; from cupy.cuda import nvrtc; print(*nvrtc.getVersion(), cupy.__version__)"
    status, words = ask([sys.executable, "-P", "-W", "ignore", "-c", code], VERSION_S)
    if status is None:
        raise BuildError(f"importing cupy takes more than {VERSION_S} s", "repair its installation")
    lines = words.splitlines() or ["no message"]
    if status:
        raise BuildError(
            f"no CUDA compiler: no usable nvcc is on PATH or in CUDA_HOME or CUDA_PATH, and NVRTC does not work "
            f"({lines[-1]})",
            "pip install cupy-cuda12x nvidia-cuda-nvrtc-cu12",
        )
    major, minor, cupy = lines[-1].split()
    return f"NVRTC {major}.{minor}, CuPy {cupy}"


def main(source, output, architectures, *options):
    """Compile `source` with NVRTC, write the index `output` and print the log. Exit with status 1 if NVRTC fails."""
    from cupy.cuda import nvrtc

    output, text = Path(output), Path(source).read_text(encoding="utf-8")
    index = {name: f"{output.stem}.{name}.cubin" for name in architectures.split(",")}
    for name, cubin in index.items():
        program = nvrtc.createProgram(text, source, [], [])
        try:
            nvrtc.compileProgram(program, [f"--gpu-architecture={name}", *options])
        except nvrtc.NVRTCError as error:
            sys.exit(nvrtc.getProgramLog(program).strip() or str(error))
        print(nvrtc.getProgramLog(program).strip())
        (output.parent / cubin).write_bytes(nvrtc.getCUBIN(program))
        ptx = nvrtc.getPTX(program)
        nvrtc.destroyProgram(program)
    output.with_suffix(".ptx").write_bytes(ptx)
    index[_virtual(name)] = f"{output.stem}.ptx"
    output.write_text(json.dumps(index, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
