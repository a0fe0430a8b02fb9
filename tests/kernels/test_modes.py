"""Tests of reading math mode, target and algorithm from flags, pragmas, decorators and options."""

import pytest
from place import RUN

from accelbench.config import Build
from accelbench.kernels import catalog, reading
from accelbench.kernels.implementation import read_implementation

C = {"ctypes_x.py": 'SOURCES = ("a.c",)\n' + RUN}
RUST = {"ctypes_x.py": 'TOOLCHAIN = "rust"\nSOURCES = ("a.rs",)\nPARAMETERS = ("threads",)\n' + RUN}
FAST = {
    "gcc's flag": C | {"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = ("-ffast-math",)\n' + RUN, "a.c": ""},
    "-Ofast": C | {"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = ("-Ofast",)\n' + RUN, "a.c": ""},
    "a part of it": C | {"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = ("-fassociative-math",)\n' + RUN, "a.c": ""},
    "GCC's pragma": C | {"a.c": '#pragma GCC optimize ("fast-math")\n'},
    "GCC's attribute": C | {"a.c": '__attribute__((optimize("Ofast"))) void f(void);\n'},
    "Clang's pragma": C | {"a.c": "#pragma clang fp reassociate(on)\n"},
    "a pragma in a raw string": {"cffi_x.py": 'CODE = """\n#pragma GCC optimize ("Ofast")\n"""\n' + RUN},
    "Cython's flags": {"cython_x.pyx": 'FLAGS = ("-ffast-math",)\n' + RUN},
    "Fortran's flags": {"f2py_x.py": 'SOURCES = ("a.f90",)\nFLAGS = ("-Ofast",)\n' + RUN, "a.f90": ""},
    "Pythran's flags": {"pythran_x.py": 'SOURCES = ("_a.py",)\nFLAGS = ("-ffast-math",)\n' + RUN, "_a.py": ""},
    "OpenCL's flag": {"pyopencl_x.py": 'SOURCES = ("a.cl",)\nFLAGS = ("-cl-fast-relaxed-math",)\n' + RUN, "a.cl": ""},
    "OpenCL's native functions": {"pyopencl_x.py": 'SOURCES = ("a.cl",)\n' + RUN, "a.cl": "y = native_exp(x);"},
    "OpenCL's options": {"pyopencl_x.py": "def prepare(case):\n    return f(options=['-cl-fast-relaxed-math'])\n"},
    "nvcc's flag": {"cupy_x.py": 'SOURCES = ("a.cu",)\nFLAGS = ("-use_fast_math",)\n' + RUN, "a.cu": ""},
    "CUDA's options": {"cupy_x.py": "def prepare(case):\n    return f(options=('--use_fast_math',))\n"},
    "CUDA's intrinsics": {"cupy_x.py": 'SOURCES = ("a.cu",)\n' + RUN, "a.cu": "y = __expf(x);"},
    "CUDA's TF32": {"cupy_x.py": 'SOURCES = ("a.cu",)\n' + RUN, "a.cu": "wmma::fragment<precision::tf32> a;"},
    "Rust's functions": RUST | {"a.rs": "let y = std::intrinsics::fadd_fast(x, x);"},
    "Rust's methods": RUST | {"a.rs": "let y = x.algebraic_add(x);"},
    "Numba's decorator": {"numba_x.py": "@numba.njit(fastmath=True)\n" + RUN.lstrip()},
    "Numba's set": {"numba_x.py": "@numba.njit(fastmath={'reassoc'})\n" + RUN.lstrip()},
    "Numba CUDA's decorator": {"numba_cuda_x.py": "@cuda.jit(fastmath=True)\n" + RUN.lstrip()},
    "Warp's option": {"warp_x.py": 'wp.set_module_options({"fast_math": True})\n' + RUN},
    "PyTorch's TF32": {"torch_x.py": "torch.backends.cuda.matmul.allow_tf32 = True\n" + RUN},
    "PyTorch's precision": {"torch_x.py": 'torch.set_float32_matmul_precision("high")\n' + RUN},
    "PyTorch's accumulation": {
        "torch_x.py": "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = True\n" + RUN
    },
    "Triton's TF32": {"triton_x.py": 'y = tl.dot(a, b, input_precision="tf32")\n' + RUN},
    "Triton's accumulation": {"triton_x.py": "y = tl.dot(a, b, out_dtype=tl.float16)\n" + RUN},
    "JAX's precision": {"jax_x.py": 'y = jnp.dot(a, b, precision="bfloat16")\n' + RUN},
    "JAX's accumulation": {"jax_x.py": "y = jnp.dot(a, b, preferred_element_type=jnp.bfloat16)\n" + RUN},
    "XLA's flag": {"jax_x.py": 'FLAG = "--xla_cpu_enable_fast_math=true"\n' + RUN},
}
STRICT = {
    "a comment in C": C | {"a.c": "/* With -ffast-math it is\n   faster. */ // not Ofast\n"},
    "a docstring": {"numba_x.py": '"""Without fastmath=True."""\n\n# fastmath=True is another\n' + RUN},
    "a comment in Fortran": {"f2py_x.py": 'SOURCES = ("a.f90",)\n' + RUN, "a.f90": "! not with -Ofast\n"},
    "a flag that takes it back": C | {"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = ("-fno-fast-math",)\n' + RUN},
    "Numba's other word": {"numba_x.py": "@numba.njit(fastmath=False)\n" + RUN.lstrip()},
    "PyTorch's other word": {"torch_x.py": "torch.backends.cuda.matmul.allow_tf32 = False\n" + RUN},
    "Triton's full precision": {"triton_x.py": 'y = tl.dot(a, b, input_precision="ieee")\n' + RUN},
    "a comment in Rust": RUST | {"a.rs": "//! There is no fadd_fast.\n/* no algebraic_add */\n"},
    "contraction": C | {"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = ("-ffp-contract=fast", "-mfma")\n' + RUN},
    "SIMD lanes that the source asks for": C | {"a.c": "#pragma omp simd reduction(+ : total)\n"},
}


def read(folder, texts):
    for name, text in ({"a.c": ""} | texts).items():
        (folder / name).write_text(text)
    (file,) = (folder / name for name in texts if name.partition("_")[2][:2] in ("x.", "cu"))
    return read_implementation(file)


@pytest.mark.parametrize("texts", FAST.values(), ids=FAST)
def test_fast(tmp_path, texts):
    implementation, *_ = read(tmp_path, texts)  # a numba_cuda file yields one per backend
    assert implementation.math(Build()) == "fast"


@pytest.mark.parametrize("texts", STRICT.values(), ids=STRICT)
def test_strict(tmp_path, texts):
    (implementation,) = read(tmp_path, texts)
    assert implementation.math(Build()) == "strict"


def test_configured_flags_count(tmp_path):
    (implementation,) = read(tmp_path, C)
    assert implementation.math(Build(cflags=("-Ofast",))) == "fast"
    assert implementation.target(Build(cflags=("-O3",))) == "generic"


def test_variants_have_modes_of_their_own(tmp_path):
    variants = 'VARIANTS = {"fast": ("-ffast-math",), "generic": ("-march=generic",)}\n'
    found = read(tmp_path, {"ctypes_x.py": f'SOURCES = ("a.c",)\n{variants}{RUN}'})
    modes = [(i.math(Build()), i.target(Build())) for i in found]
    assert modes == [("strict", "native"), ("fast", "native"), ("strict", "generic")]


def test_modes_of_rust(tmp_path):
    """The target of Rust follows the configured -march, so that Rust and C are comparable."""
    variants = 'VARIANTS = {"generic": ("-march=generic",)}\n'
    plain, generic = read(tmp_path, {"ctypes_x.py": variants + RUST["ctypes_x.py"], "a.rs": ""})
    assert [plain.target(Build()), generic.target(Build())] == ["native", "generic"]
    assert plain.target(Build(cflags=("-O3",))) == "generic"
    assert [(i.math(Build(cflags=("-Ofast",))), i.threads) for i in (plain, generic)] == [("strict", True)] * 2


def test_variant_that_prepare_looks_at(tmp_path):
    variants = 'VARIANTS = {"fast": ("fastmath=True",)}\n\n\n'
    text = 'def prepare(case):\n    return numba.njit(f, fastmath=case.variant == "fast")\n'
    strict, fast = read(tmp_path, {"numba_x.py": variants + text})
    assert (strict.math(Build()), fast.math(Build())) == ("strict", "fast")
    assert (strict.target(Build()), fast.name) == ("native", "numba_x_fast")


def test_algorithms(tmp_path):
    text = 'ALGORITHM = {"": "in order"}\nSOURCES = ("a.c",)\nVARIANTS = {"openmp": ("-fopenmp",)}\n'
    assert [i.algorithm for i in read(tmp_path, {"ctypes_x.py": text + RUN})] == ["in order", ""]


@pytest.mark.parametrize(
    "text",
    [
        '"""X."""\n\nimport numpy\n|\nALGORITHM = "a"\n|\n\ndef run():\n    pass\n',
        '"""X."""\n\n|ALGORITHM = "a"\n|FLAGS = ()\n\n\nx\n',
        '"""X."""\n\nFLAGS = ()\n|ALGORITHM = "a"\n|\n\nx\n',
        'K = Kernel(\n    size=1,\n|    algorithms={\n        "a": "b",\n    },\n|)\n',
    ],
)
def test_names_of_algorithms_are_no_part_of_a_key(tmp_path, text):
    before, name, after = text.split("|")
    (tmp_path / "x.py").write_text(before + name + after)
    assert reading.unnamed(tmp_path / "x.py").decode() == before + after


@pytest.mark.parametrize("algorithms", ['"Horner"', "{}", '{"Horner": 3}', '{"": "x"}'])
def test_unusable_algorithms(place, algorithms):
    text = (place.kernel / "kernel.py").read_text()
    place.write({"kernel.py": text.replace("KERNEL = Kernel(", f"KERNEL = Kernel(\n    algorithms={algorithms},")})
    with pytest.raises(Exception, match="algorithms = "):
        catalog.load(place.kernel)
