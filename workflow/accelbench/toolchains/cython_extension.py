"""Toolchain "cython": build an extension module and an annotated page from a .pyx and the C sources in its SOURCES.

Most of the code that Cython generates supports typed memoryviews. Compiling this code takes 4 s per extension.
Extensions can share a module with this code (`cython --generate-shared`). The shared module is built once per machine
and copied beside each extension. Then building an extension takes 0.7 s, and a call with one memoryview 320 ns instead
of 305 ns. Each translation runs in a separate process, which needs 0.9 s of a core to build Cython's lexicon.
"""

import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path

from accelbench.environments import interpreter
from accelbench.store.files import digest
from accelbench.toolchains import compiler, contract, translation

TOOLCHAIN = "cython"
SUFFIXES = (".pxd", ".pxi", *compiler.COMPILED, ".h", ".hpp")

_CPLUSPLUS = re.compile(r"^#\s*distutils:\s*language\s*=\s*c\+\+", re.MULTILINE)
_NUMPY = re.compile(r"^\s*(?:cimport\s+numpy|from\s+numpy\s+cimport)\b", re.MULTILINE)
# The shared module adds 15 ns to a call. With -O1, it would add 30 ns.
_SHARED_FLAGS = ("-O3",)
_SHARED_PREFIX = "accelbench_cython_"


def built(implementation):
    return [implementation.path.name] if implementation.path.suffix == ".pyx" else []


def files(implementation, source):
    """Return the .pyx, its C sources and its .pxd if `source` is the .pyx. Otherwise, return only `source`."""
    path = implementation.path
    if source != path.name:
        return [path.parent / source]
    declarations = path.with_suffix(".pxd")
    compiled = [path.parent / name for name in compiler.compiled(implementation)]
    return [path, *compiled, *([declarations] if declarations.is_file() else [])]


def version(implementation, config, device=None):
    text = implementation.path.read_text(encoding="utf-8")
    cc = compiler.version(config, bool(_CPLUSPLUS.search(text)))
    versions = f"{cc}, {interpreter.version(implementation, 'Cython')}"
    return f"{versions}, numpy {interpreter.read(implementation.python).numpy}" if _NUMPY.search(text) else versions


def step(task, folder):
    path = task.implementation.path
    text = path.read_text(encoding="utf-8")
    cplusplus = bool(_CPLUSPLUS.search(text))
    includes = [interpreter.include_flag(task.implementation)]
    if _NUMPY.search(text):
        import numpy

        includes += [f"-I{numpy.get_include()}", "-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION"]
    generated = folder / "work" / (path.stem + (".cpp" if cplusplus else ".c"))
    # Cython's support code is compiled once for each version of the compiler and of Cython.
    versions = compiler.version(task.config), interpreter.version(task.implementation, "Cython")
    shared_name = _SHARED_PREFIX + digest(_SHARED_FLAGS, versions)[:8]
    translation.run(__name__, task, folder, generated, shared_name)
    page = path.stem + ".html"
    (folder / "work" / page).replace(folder / page)
    make_shared = partial(_make_shared_module, task, shared_name)
    shutil.copy(task.once(shared_name + compiler.EXTENSION_SUFFIX, make_shared), folder)
    artifact = path.stem + compiler.EXTENSION_SUFFIX
    arguments = compiler.shared_object(
        task.config,
        [*compiler.flags(task.implementation, task.config), *includes],
        [generated, *compiler.compiled(task.implementation)],
        output=folder / artifact,
    )
    return contract.BuildStep(
        arguments, artifact, page, before=f"cython -a {'--cplus ' if cplusplus else ''}{path.name}"
    )


def open(path):
    for shared in path.parent.glob(f"{_SHARED_PREFIX}*{compiler.EXTENSION_SUFFIX}"):
        name = shared.name.split(".")[0]
        if name not in sys.modules:
            sys.modules[name] = compiler.import_extension(shared)
    return compiler.import_extension(path)


def translate(source, generated, shared_name):
    """Write the C or C++ code and the annotated page of a .pyx. Raise BuildError if Cython reports an error."""
    from Cython.Compiler.Errors import CompileError
    from Cython.Compiler.Main import CompilationOptions, compile_single

    options = CompilationOptions(
        output_file=generated,
        include_path=[os.getcwd()],
        language_level=3,
        cplus=generated.endswith(".cpp"),
        annotate=True,
        shared_utility_qualified_name=shared_name,
    )
    try:
        # Cython writes the path of the source relative to the current directory into messages and the extension.
        failed = compile_single(source, options, Path(source).stem).num_errors
    except CompileError as error:
        raise compiler.BuildError(f"{source}: {error}") from None
    if failed:
        raise compiler.BuildError("")  # Cython has printed the reason


def _make_shared_module(task, name, output):
    """Compile Cython's support code into an extension module."""
    from Cython.Build.SharedModule import generate_shared_module
    from Cython.Compiler.Main import CompilationOptions

    generated, flags = output.with_name(f"{name}.c"), [*_SHARED_FLAGS, interpreter.include_flag(task.implementation)]
    generate_shared_module(CompilationOptions(shared_c_file_path=str(generated), language_level=3))
    command = compiler.shared_object(task.config, flags, [generated], output=output)
    compiler.output(command, task, "Cython's own support code does not compile", cwd=output.parent)


if __name__ == "__main__":
    translation.serve(translate)
