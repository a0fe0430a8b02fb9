"""Read files of a kernel folder. Search implementations for uses of the reference, fast math and NumPy fallbacks."""

import ast
import re
from pathlib import Path

from accelbench.errors import InputError
from accelbench.kernels.specification import require
from accelbench.store import files

# Hidden files, backups and caches of editors, version control and file systems
LEFTOVER = re.compile(r"[.#].*|.*(~|#|\.(bak|old|orig|rej|sw[a-p]|tmp|py[co]))|__pycache__|Thumbs\.db|4913")
MOST_BYTES = 4_000_000  # Maximum size of a source in bytes

# Patterns of references to kernel.py or accelbench's modules: in strings, in names of modules, in lines of a .pyx
TRUTH = re.compile(r"\bkernel\.py\b|\baccelbench[./](verify|measure|kernels|worker)\b")
MODULES = re.compile(r"kernel\Z|accelbench\.(verify|measure|kernels|worker)\b")
COMPILED = re.compile(
    r"^[ \t]*(?:c?import|from)[ \t]+\.?(?:kernel|accelbench\.(?:verify|measure|kernels|worker))\b", re.MULTILINE
)
IMPORTING = ("import_module", "__import__")
NUMPY = ("np", "numpy")
# Flags, pragmas and functions that allow reordered or shortened floating-point operations. Contraction to FMA does not
# count. Nor does an option such as `fastmath=case.variant == "fast"`: Implementation.math searches variants' flags.
SHORTENED = re.compile(
    "|".join(
        (
            r"(?<!no-)(?:fast|unsafe|relaxed)-math|Ofast|-f(?:associative|reciprocal|finite)-math",  # C, OpenCL
            r"reassociate\(on|float_control\(\s*precise,\s*off",
            r"\bf(?:add|sub|mul|div|rem)_(?:fast|algebraic)|\balgebraic_(?:add|sub|mul|div|rem)\b",  # Rust
            r"use_fast_math|ftz=true|prec-(?:div|sqrt)=false",  # CUDA
            r"\b__(?:cosf|expf|exp10f|fdividef|log2f|log10f|logf|powf|sinf|sincosf|tanf)\b",
            r"\b(?:native|half)_(?:cos|divide|exp|exp2|log|powr|recip|rsqrt|sin|sqrt|tan)\b",  # OpenCL
            r"""fast_?math["']?\s*[=:](?!\s*(?:False|None|0|set\(\)|case\.variant))""",  # Numba, Warp, JAX
            r"""allow_tf32["']?\s*[=:](?!\s*(?:False|0))|precision::tf32|\bmma\.\S*tf32|COMPUTE_32F_FAST""",  # TF32
            r"""precision["']?\s*[=,(]\s*["'](?:tf32|tensorfloat32|high|medium|bf16|bfloat16|fastest)""",
            r"""allow_\w+_reduced_precision_reduction["']?\s*[=:](?!\s*(?:False|0))""",  # accumulation
            r"(?:preferred_element_type|out_dtype|acc\w*_dtype)\s*=\s*[\w.]*float16",
        )
    )
)
DOCSTRING = re.compile(r'^(\s*#[^\n]*\n)*\s*""".*?"""', re.DOTALL)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Constants FLAGS and VARIANTS with their values, whose flags are searched separately
DECLARED = re.compile(r"^(?:FLAGS|VARIANTS)\b[^\n({\[]*(?:\{.*?\}|\(.*?\)|\[.*?\])", re.DOTALL | re.MULTILINE)
# Algorithms in kernel.py, and their names in implementations. If blank lines surround ALGORITHM, the pattern also
# matches the blank line above ALGORITHM.
NAMED = re.compile(
    rb'(?<=\n)(?:\nALGORITHM = "[^"\n]*"\n(?=\n)|ALGORITHM = "[^"\n]*"\n)|    algorithms=\{\n.*?\n    \},\n',
    re.DOTALL,
)


def listed(folder):
    """Return the entries of a folder, sorted, without those that LEFTOVER matches."""
    return sorted(path for path in Path(folder).iterdir() if not LEFTOVER.fullmatch(path.name))


def data_files(folder):
    """Return every regular file below a folder, sorted, without those that LEFTOVER matches."""
    paths = []
    for path in listed(folder):
        paths += data_files(path) if path.is_dir() else [path] * path.is_file()
    return paths


def read_text(file):
    """Return the text of a source. Raise InputError if it cannot be read, is too large or is not plain UTF-8."""
    try:
        files.check_size(file, MOST_BYTES)
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(file, f"cannot be read: {error.strerror}", "Correct the file, or remove it") from None
    except UnicodeDecodeError as error:
        raise InputError(file, f"is not UTF-8 text at byte {error.start}", "Save it as UTF-8") from None
    has_mark = text.startswith("\ufeff")
    require(not has_mark, file, "begins with a byte-order mark", remedy="Save it as UTF-8 without one")
    return text


def is_shortened(file):
    """Return whether a source itself, apart from its flags, allows reordered or shortened operations."""
    text = DECLARED.sub("", BLOCK_COMMENT.sub("", DOCSTRING.sub("", file.read_text(encoding="utf-8"), count=1)))
    comment = r"#\s.*" if file.suffix in (".py", ".pyx") else r"//.*|^\s*!(?![A-Z]*\$).*"
    return bool(SHORTENED.search(re.sub(comment, "", text, flags=re.MULTILINE)))


def unnamed(file):
    """Return the bytes of a file without names and descriptions of algorithms, which do not affect results."""
    return NAMED.sub(b"", file.read_bytes())


def refuse_truth(file, tree, text):
    """Raise InputError if an implementation refers to kernel.py, or to modules of accelbench that measure it.

    tree  syntax tree of a .py, or of the plain Python at the beginning of a .pyx
    text  text of the file
    """
    looks = COMPILED.search(text) if file.suffix == ".pyx" else None
    if looks:
        raise _refused(file, text[: looks.start()].count("\n") + 1)
    nodes = list(ast.walk(tree))
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Import):
            refused = any(MODULES.match(name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module or ''}.{name.name}".lstrip(".") for name in node.names)]
            refused = any(map(MODULES.match, names))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", None)) in IMPORTING:
            refused = any(isinstance(word, ast.Constant) and MODULES.match(str(word.value)) for word in node.args)
        else:
            text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
            refused = text and TRUTH.search(node.value)
        if refused:
            raise _refused(file, node.lineno)


def _refused(file, line):
    return InputError(
        f"{file}:{line}",
        "the implementation refers to kernel.py, or to modules of accelbench that measure it",
        "Compute the result in this file, and copy code that both files need into it",
    )


def note(tree, text, backend):
    """Return a note for the report if an exception handler of an implementation of `backend` uses NumPy, else None."""
    if backend in ("numpy", "python") or "except" not in text:
        return None
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for handler in (node for node in ast.walk(function) if isinstance(node, ast.ExceptHandler)):
                if any(isinstance(node, ast.Name) and node.id in NUMPY for node in ast.walk(handler)):
                    return f"If it fails, it uses NumPy instead (line {handler.lineno}): its times may be NumPy's."
    return None
