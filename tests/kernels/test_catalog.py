"""Tests of reading implementations without importing them: invalid files, and constants, titles and code lines."""

import pytest
from place import DOC, IN_C, RUN

from accelbench.errors import InputError
from accelbench.kernels.implementation import count_code_lines
from accelbench.model.artifact import Manifest
from accelbench.store import formats

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"kernel.py": None}, "no kernel.py in this kernel folder"),
        ({"numpy_ufunc.py": None}, "the baseline 'numpy_ufunc' is not in this folder"),
        ({"numpy_x.py": "def ("}, "numpy_x.py:1: syntax error"),
        ({"numpy_x.py": "a\0b"}, "cannot contain null bytes"),
        ({"numpy_x.py": DOC + "-" * 100_000 + "1\n" + RUN}, "numpy_x.py: cannot be parsed"),
        ({"numpy_x.py": ""}, "defines neither `run` nor `prepare`"),
        ({"numpy_x.py": b'"""\xff"""\n' + RUN.encode()}, "is not UTF-8 text at byte 3"),
        ({"numpy_x.py": b"\xef\xbb\xbf" + RUN.encode()}, "begins with a byte-order mark"),
        ({"fortran_x.py": RUN}, "does not begin with a backend"),
        ({"numpy.py": RUN}, "the name has nothing after the backend"),
        ({"numpy_.py": RUN}, "the name has nothing after the backend"),
        ({"Numpy-x.py": RUN}, "is not a valid name of an implementation"),
        ({"numpy_é.py": RUN}, "is not a valid name of an implementation"),
        ({"numpy_x\n.py": RUN}, "is not a valid name of an implementation"),
        ({"cython_x.py": RUN}, "cython cannot have .py files"),
        ({"numpy_x.pyx": RUN}, "numpy cannot have .pyx files"),
        ({"cython_x.pyx": "cdef int a\n"}, "defines neither `run` nor `prepare`"),
        ({"cython_x.pyx": "FLAGS = (\nimport x\n" + RUN}, "cython_x.pyx:1: syntax error"),
        ({"cython_x.pyx": 'import x\nFLAGS = ("-O1",)\n' + RUN}, "cython_x.pyx:2: FLAGS comes too late"),
        ({"numpy_x.py": 'PARAMETERS = ("block_size")\n' + RUN}, "numpy_x.py:1: PARAMETERS is a str"),
        ({"numpy_x.py": 'PARAMETERS = tuple("a")\n' + RUN}, "PARAMETERS is not a literal"),
        ({"numpy_x.py": "PARAMETERS = {[]: 1}\n" + RUN}, "PARAMETERS is not a literal"),
        ({"numpy_x.py": "PARAMETERS += (1,)\n" + RUN}, "PARAMETERS is not a literal"),
        ({"numpy_x.py": 'PARAMETERS = ("unroll",)\n' + RUN}, "'unroll' without its values"),
        ({"numpy_x.py": 'PARAMETERS: tuple = ("unroll",)\n' + RUN}, "names 'unroll' without its values"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": ()}\n' + RUN}, "PARAMETERS['unroll'] = ()"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": (1, 1)}\n' + RUN}, "PARAMETERS['unroll'] = (1, 1)"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": ("a; rm",)}\n' + RUN}, "PARAMETERS['unroll'] has the value 'a; rm'"),
        ({"numpy_x.py": 'PARAMETERS = {"unroll": (1e999,)}\n' + RUN}, "has the value inf"),
        ({"numpy_x.py": 'PARAMETERS = {"block_size": (0,)}\n' + RUN}, "PARAMETERS['block_size'] has the value 0"),
        ({"numpy_x.py": 'PARAMETERS = {"threads": (1,)}\n' + RUN}, "Thread counts come from the configuration"),
        ({"numpy_x.py": 'PARAMETERS = {"size": (1,)}\n' + RUN}, "PARAMETERS: invalid name 'size'"),
        ({"numpy_x.py": 'PARAMETERS = {"a/b": (1,)}\n' + RUN}, "PARAMETERS: invalid name 'a/b'"),
        ({"numpy_x.py": "PARAMETERS = (3,)\n" + RUN}, "PARAMETERS = (3,)"),
        ({"numpy_x.py": 'SOURCES = ("a.c",)\n' + RUN, "a.c": "int a;"}, "nothing is built for numpy"),
        ({"numpy_x.py": 'VARIANTS = {"fast": ("-O3",)}\n' + RUN}, "FLAGS or VARIANTS, but nothing is built"),
        (
            {"numpy_x.py": 'ALGORITHM = "Horner"\n' + RUN},
            "numpy_x.py: ALGORITHM = 'Horner' is unknown. Write one of 'direct'",
        ),
        ({"numpy_x.py": "ALGORITHM = 3\n" + RUN}, "numpy_x.py:1: ALGORITHM is a int"),
        ({"ctypes_x.py": 'SOURCES = "a.c"\n' + RUN}, "SOURCES is a str"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\n' + RUN}, "SOURCES names 'a.c', which is not a file beside it"),
        ({"ctypes_x.py": 'SOURCES = ("../twice/a.c",)\n' + RUN}, "which is not a file beside it"),
        ({"ctypes_x.py": 'SOURCES = ("/etc/passwd",)\n' + RUN}, "which is not a file beside it"),
        ({"ctypes_x.py": 'SOURCES = ("-x.c",)\n' + RUN, "-x.c": "int a;"}, "SOURCES names '-x.c'"),
        ({"ctypes_x.py": 'SOURCES = ("a",)\n' + RUN, "a/b": ""}, "SOURCES names 'a'"),
        ({"ctypes_x.py": 'SOURCES = ("a.c", "a.c")\n' + RUN, "a.c": "int a;"}, "names a file twice"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\n' + RUN, "a.c": b"/* \xff */"}, "a.c: is not UTF-8 text"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = "-O3"\n' + RUN, "a.c": ""}, "ctypes_x.py:2: FLAGS is a str"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nFLAGS = (3,)\n' + RUN, "a.c": ""}, "FLAGS = (3,)"),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nVARIANTS = {"b": "-O3"}\n' + RUN, "a.c": ""}, "VARIANTS['b'] = '-O3'"),
        (
            {"ctypes_x.py": 'SOURCES = ("a.c",)\nVARIANTS = {3: ()}\n' + RUN, "a.c": ""},
            "VARIANTS: invalid name 3",
        ),
        (
            {"ctypes_x.py": 'SOURCES = ("a.c",)\nVARIANTS = {"y": ()}\n' + RUN, "ctypes_x_y.py": RUN, "a.c": ""},
            "'ctypes_x_y' is also in ctypes_x.py",
        ),
        ({"ctypes_x.py": 'SOURCES = ("a.c",)\nTOOLCHAIN = "make"\n' + RUN, "a.c": ""}, "TOOLCHAIN = 'make'"),
    ],
)
def test_implementation(place, texts, message):
    """Missing files and invalid or repeated names stop the whole kernel. Other problems stop one implementation."""
    place.write(texts)
    try:
        problems = [i.problem for i in place.plan()["twice"].implementations.values() if i.problem]
    except InputError as error:
        problems = [str(error)]
    assert len(problems) == 1
    assert message in problems[0]
    assert str(place.kernel) in problems[0]


def problem(place):
    return place.plan()["twice"].implementations["numpy_x"].problem


@pytest.mark.parametrize("head", ["", '""""""\n', '"""   \n   """\n'])
def test_implementation_without_docstring_is_called_by_its_name(place, head):
    place.write({"numpy_x.py": head + RUN})
    assert place.plan()["twice"].implementations["numpy_x"].title == "numpy_x"


def test_implementation_title_cannot_command_a_terminal(place):
    place.write({"numpy_x.py": '"""Red \\x1b[31m."""\n' + RUN})
    assert place.plan()["twice"].implementations["numpy_x"].title == "Red \\x1b[31m."


def test_pyx_constants_behind_a_docstring_that_speaks_of_imports(place):
    text = '"""Doubling\n\nimport is a word here.\nfrom here on, too.\n"""\n\nFLAGS = ("-O1",)\n\nimport cython\n\n'
    place.write({"cython_x.pyx": text + "def run(double[:] x, double[:] y):\n    pass\n"})
    assert place.plan()["twice"].implementations["cython_x"].flags == ("-O1",)


def test_dangling_link_is_an_unreadable_file(place):
    (place.kernel / "numpy_x.py").symlink_to("/nowhere")
    assert "numpy_x.py: cannot be read: No such file" in problem(place)


def test_flags_never_reach_a_shell(place):
    flags = "; touch pwned", "$(touch pwned)", "`touch pwned`"
    place.write({**IN_C, "ctypes_c.py": f"FLAGS = {flags!r}\n" + IN_C["ctypes_c.py"].replace('"""In C."""', "")})
    for command in (["machine"], ["build", "twice"]):
        assert place.invoke(*command).exit_code == 0
    (artifact,) = formats.read(Manifest, place.file("build/twice/c.json"), "").artifacts
    assert artifact.outcome == "build_failed"
    assert "touch pwned" in artifact.log
    assert not list(place.folder.rglob("pwned"))


@pytest.mark.parametrize("head", ["", "# cython: boundscheck=False\n", "\n# cython: boundscheck=False\n# another\n\n"])
def test_lines_of_code_are_without_comments_and_docstring(head):
    text = f'{head}"""What it is,\nin two lines."""\n\nimport numpy\n\n# why\ndef run(x):\n    return x  # that\n'
    assert count_code_lines(text) == 3


@pytest.mark.parametrize("name", [".#a.c", "a.c~", "#a.c#", "._a.c", ".a.c.swp", "a.c.orig", ".nfs0001.c", "b.c"])
def test_a_file_that_is_no_source_stops_no_kernel(place, name):
    """Editors' lock files, backups and dangling links are ignored; Snakemake would report them as missing inputs."""
    place.write(IN_C)
    (place.kernel / name).symlink_to("/nowhere")
    folder = place.plan()["twice"].kernel
    assert name not in {path.name for path in (*folder.native_sources(), *folder.data_files())}


def test_a_file_that_never_ends_is_refused_at_once(place):
    (place.kernel / "numpy_x.py").symlink_to("/dev/zero")
    assert "numpy_x.py: is not a regular file" in problem(place)


def test_a_file_that_is_too_large_is_refused(place):
    place.write({"numpy_x.py": RUN + "#" * 5_000_000})
    assert "numpy_x.py: has 5000" in problem(place)
