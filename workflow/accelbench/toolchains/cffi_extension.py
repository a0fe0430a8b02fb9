"""Toolchain "cffi": build extension modules in CFFI's API mode.

A module is built from C sources and their headers, or from a Python file with an `ffibuilder`. This toolchain calls the
compiler directly, which takes 0.3 s per module. ffi.compile() with setuptools would take 0.8 s.
"""

from pathlib import Path

from accelbench import discovery
from accelbench.environments import interpreter
from accelbench.errors import one_line
from accelbench.store.files import digest
from accelbench.toolchains import compiler, contract, translation

TOOLCHAIN = "cffi"
SUFFIXES = (*compiler.COMPILED, ".h", ".hpp")


def built(implementation):
    return [source for source in implementation.sources if source.endswith((".py", *compiler.COMPILED))]


def files(implementation, source):
    """Return an extension's files: the Python file with the `ffibuilder`, or all C sources with their headers."""
    folder = implementation.path.parent
    if source.endswith(".py"):
        return [folder / source]
    headers = [path for path in _headers(implementation) if path.is_file()]
    return [*(folder / name for name in (source, *compiler.compiled(implementation))), *headers]


def version(implementation, config, device=None):
    cc = compiler.version(config, any(map(compiler.is_cplusplus, implementation.sources)))
    return f"{cc}, {interpreter.version(implementation, 'cffi')}"


def step(task, folder):
    if task.source.endswith(".py"):
        generated, settings = translation.run(__name__, task, folder, folder / "work")
    else:
        generated, settings = _generate(_api(task), folder / "work")
    compile_flags = [
        *settings.get("extra_compile_args", ()),
        *compiler.flags(task.implementation, task.config),
        *(f"-I{path}" for path in settings.get("include_dirs", ())),
        *(f"-D{key}" if value is None else f"-D{key}={value}" for key, value in settings.get("define_macros", ())),
        interpreter.include_flag(task.implementation),
    ]
    sources = [
        *(generated, *settings.get("sources", ())),
        *(f"-L{path}" for path in settings.get("library_dirs", ())),
        *(f"-l{library}" for library in settings.get("libraries", ())),
        *settings.get("extra_link_args", ()),
    ]
    artifact = Path(generated).stem + compiler.EXTENSION_SUFFIX
    return contract.BuildStep(
        compiler.shared_object(task.config, compile_flags, sources, output=folder / artifact), artifact
    )


def _api(task):
    """Return the cffi.FFI of an extension that wraps all of an implementation's C sources."""
    import cffi

    ffi = cffi.FFI()
    headers = _headers(task.implementation)
    for header in headers:
        if not header.is_file():
            raise compiler.BuildError(
                f"{header.name} is missing: write the prototypes of the C functions there, for cdef"
            )
        try:
            ffi.cdef(header.read_text(encoding="utf-8"))
        except (cffi.CDefError, cffi.FFIError) as error:
            words = one_line(error)
            raise compiler.BuildError(
                f"{header.name}: {words}. CFFI's cdef reads prototypes and types only, no directives or macros"
            ) from None
    sources = compiler.compiled(task.implementation)
    extension = ".cpp" if any(map(compiler.is_cplusplus, sources)) else ".c"
    included = ["<stdbool.h>", "<stdint.h>", *(f'"{header.name}"' for header in headers)]
    prelude = "\n".join(f"#include {name}" for name in included)
    # The name depends on the flags, so that one process can load extensions that differ only in flags.
    name = f"{task.implementation.kernel}_{digest(sources, compiler.flags(task.implementation, task.config))[:8]}"
    ffi.set_source(name, prelude, source_extension=extension, sources=sources, compiler_verbose=0)
    return ffi


def translate(source, folder):
    """Import a Python file and generate the C code of its `ffibuilder`."""
    ffi = getattr(discovery.import_file(source), "ffibuilder", None)
    if ffi is None or getattr(ffi, "_assigned_source", (None, None))[1] is None:
        raise compiler.BuildError(
            f"{source} has no module-level `ffibuilder` with C source: "
            'ffibuilder = cffi.FFI(); ffibuilder.cdef(...); ffibuilder.set_source("raw_string", r"...")'
        )
    return _generate(ffi, folder)


def _generate(ffi, folder):
    """Write the C code of a cffi.FFI. Return (path of the C file, further arguments of set_source()).

    CFFI stores these arguments in a private attribute. The public function distutils_extension() also returns these
    arguments. distutils_extension() needs setuptools, which Python no longer includes.
    """
    name, _, extension, settings = ffi._assigned_source
    path = Path(folder, name.rsplit(".", 1)[-1] + extension)
    ffi.emit_c_code(str(path))
    return path, settings


def _headers(implementation):
    """Return the headers of all C sources. Sources without a header of the same name share the kernel's header."""
    folder = implementation.path.parent
    headers = [folder / f"{source.rsplit('.', 1)[0]}.h" for source in compiler.compiled(implementation)]
    kernel = folder / f"{implementation.kernel}.h"
    return list(dict.fromkeys(header if header.is_file() else kernel for header in headers))


if __name__ == "__main__":
    translation.serve(translate, runs_source=True)
