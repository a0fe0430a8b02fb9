"""Tests of invalid kernel.py files: each gives one message with the file, the problem and a remedy."""

import pytest
from place import KERNEL

from accelbench.errors import InputError

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")


@pytest.mark.processes
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (KERNEL, "", "KERNEL = Kernel(...) is missing"),
        (KERNEL, "def (", "kernel.py:1: syntax error: "),
        (KERNEL, "a\0b", "cannot contain null bytes"),
        (KERNEL, "raise SystemExit(3)", "kernel.py:1: importing it failed: SystemExit: 3"),
        (KERNEL, "import no_such_module", "kernel.py:1: importing it failed: ModuleNotFoundError"),
        (KERNEL, "raise ValueError('a\\nb')", "ValueError: a b"),
        ("title=", "titel=", "unexpected keyword argument 'titel'"),
        ('title="Twice"', "title=3", "title = 3"),
        ("smoke=(100,), ", "", "sizes for each of smoke, default, lecture"),
        ("smoke=(100,)", "smoke=100", "sizes['smoke'] = 100"),
        ("smoke=(100,)", "smoke=(True,)", "sizes['smoke'] = (True,)"),
        ("smoke=(100,)", "smoke=(1e3,)", "sizes['smoke'] = (1000.0,)"),
        ("smoke=(100,)", "smoke=()", "sizes['smoke'] = ()"),
        ("smoke=(100,)", "smoke=(10**30,)", "sizes['smoke']"),
        ('("float64", "float32")', '"float64"', "dtypes = 'float64'"),
        ('("float64", "float32")', "()", "dtypes = ()"),
        ('("float64", "float32")', '("float65",)', "'float65' is not the name of a numeric dtype"),
        ('("float64", "float32")', '("double",)', "Write one of bool, int8, "),
        ('("float64", "float32")', '("longdouble",)', "'longdouble' is not the name of a numeric dtype"),
        ('("float64", "float32")', "(np.float64,)", "is not the name of a numeric dtype"),
        ('("float64", "float32")', '("object",)', "'object' is not the name of a numeric dtype"),
        ('("float64", "float32")', '("float64",) * 2', "dtypes = ('float64', 'float64')"),
        ('baseline="numpy_ufunc"', 'baseline="numpy_nope"', "'numpy_nope' is not in this folder"),
        ('options={"factor": 2}', 'options={"factor": True}', "options['factor'] = True"),
        ('options={"factor": 2}', 'options={"factor": float("nan")}', "options['factor'] = nan"),
        ('options={"factor": 2}', "options={3: 2}", "options[3] = 2"),
        ('options={"factor": 2}', 'options=["factor"]', "options = ['factor']"),
        ('options={"factor": 2}', 'options={"factor": 2, "x": 1}', "'x' is an input and an option"),
        ('options={"factor": 2}', 'options={"factor": 2, "size": 1}', "an option has the reserved name 'size'"),
        ('options={"factor": 2}', 'options={"factor": 2}, block_dimensions=3', "block_dimensions = 3"),
        ('options={"factor": 2}', 'options={"factor": 2}, check_sizes=(-1,)', "check_sizes = (-1,)"),
        ('options={"factor": 2}', 'options={"factor": 2}, smallest=-1', "smallest = -1"),
        ('options={"factor": 2}', 'options={"factor": 2}, smallest=101', "sizes['smoke'] = (100,)"),
        ('options={"factor": 2}', 'options={"factor": 2}, smallest=9, sizes_gpu=(8,)', "sizes_gpu = (8,)"),
        ('options={"factor": 2}', 'options={"factor": 2}, location="moon"', "location = 'moon'"),
        ('options={"factor": 2}', 'options={"factor": 2}, lectures="x"', "lectures = 'x'"),
        ("def outputs(size, dtype)", "def outpts(size, dtype)", "the function outputs is missing"),
        ("def flops(size): return size", "flops = int", "flops is not a plain function"),
        (
            "inputs(size, dtype, rng, factor)",
            "inputs(size, dtype, rng, factro)",
            "inputs has the unsupported parameter 'factro'",
        ),
        ("inputs(size, dtype, rng, factor)", "inputs(*numbers)", "inputs has the unsupported parameter 'numbers'"),
        (
            "reference(x, factor)",
            "reference(z)",
            "reference has the unsupported parameter 'z'. Possible parameters: dtype, factor, size, x",
        ),
        ("def tolerance()", "def tolerance(z)", "tolerance has the unsupported parameter 'z'"),
        ('return {"x": ', "return 1 / 0 #", "kernel.py:9: inputs fails for size=2, dtype='float64', factor=2: Zero"),
        ('return {"x": ', "return [1] #", "inputs returned the list [1], not a dictionary"),
        ('return {"x": ', 'return {"x": [1.0, 2.0]} #', "inputs returned the list [1.0, 2.0] as 'x'"),
        ('return {"x": ', 'return {"x": np.array([None])} #', "as 'x'"),
        ('return {"x": ', "return {3: np.zeros(2)} #", "inputs has the invalid name 3"),
        ('(Output("y", (size,), dtype),)', '(("y", (size,), dtype),)', "outputs returned the tuple (('y', "),
        ('(Output("y", (size,), dtype),)', "()", "outputs returned the tuple ()"),
        ('(Output("y", (size,), dtype),)', "None", "outputs returned the NoneType None"),
        ('Output("y", (size,), dtype)', 'Output("y", size, dtype)', "the output 'y' has the shape 2"),
        ('Output("y", (size,), dtype)', 'Output("y", (-1,), dtype)', "the output 'y' has the shape (-1,)"),
        ('Output("y", (size,), dtype)', 'Output("y", (size,), "int37")', "'int37' is not the name of a numeric dtype"),
        ('Output("y", (size,), dtype)', 'Output("x", (size,), dtype)', "'x' is an input and an output"),
        ('Output("y", (size,), dtype)', 'Output("y", (size,), dtype, inout=True)', "the output 'y' is inout, but"),
        ("return factor * x", "return x[:1]", "reference returned the shape (1,) for 'y', whose shape is (2,)"),
        ("return factor * x", "return None", "reference returned the NoneType None for 'y'"),
        ("return factor * x", "return x, x", "reference returned 2 results for 1 outputs"),
        ("return factor * x", 'raise ValueError("no")', "kernel.py:11: reference fails for size=2"),
        ("tolerance(): return 0", "tolerance(): return -1", "tolerance returned -1 for 'y'"),
        ("tolerance(): return 0", 'tolerance(): return float("nan")', "tolerance returned nan for 'y'"),
        ("tolerance(): return 0", 'tolerance(): return float("inf")', "tolerance returned inf for 'y'"),
        ("tolerance(): return 0", "tolerance(): return np.zeros(7)", "tolerance returned the shape (7,)"),
        ("tolerance(): return 0", "tolerance(): return None", "tolerance returned the NoneType None"),
        ("tolerance(): return 0", "tolerance(): return 0, 0", "tolerance returned 2 bounds for 1 outputs"),
        ("return size * itemsize, size * itemsize", "return size", "bytes_moved returned the int 2"),
        ("return size * itemsize, size * itemsize", "return -1, 0", "bytes_moved returned the int -1"),
        ("flops(size): return size", 'flops(size): return float("nan")', "flops returned the float nan"),
        ("flops(size): return size", "flops(size): return 10**400", "flops returned a int"),
        ("def flops", "def footprint_bytes(size): return -8\ndef flops", "footprint_bytes returned the int -8"),
        ("def flops", "def footprint_bytes(x): return x.nbytes\ndef flops", "footprint_bytes"),
    ],
)
def test_specification(place, old, new, message):
    assert old in KERNEL
    place.write({"kernel.py": KERNEL.replace(old, new)})
    with pytest.raises(InputError) as caught:
        place.plan()
    assert message in str(caught.value)
    assert str(place.kernel / "kernel.py") in caught.value.where
    assert len(caught.value.remedy) > 8


def test_specification_of_unreadable_text(place):
    for text, message in [(b'"""\xff"""\n', "is not UTF-8 text at byte 3"), (b"\xef\xbb\xbf", "byte-order mark")]:
        place.write({"kernel.py": text + KERNEL.encode()})
        with pytest.raises(InputError, match=message):
            place.plan()


def test_specification_that_fails_at_one_size_says_which(place):
    limit = 'if size > 1000: raise ValueError("too many")\n    '
    head = "def inputs(size, dtype, rng, factor): "
    place.write({"kernel.py": KERNEL.replace(head, f"{head}\n    {limit}")})
    folder = place.plan()["twice"].kernel
    with pytest.raises(
        InputError, match=r"inputs fails for size=2000, dtype='float64', factor=2: ValueError: too many"
    ):
        folder.inputs(2000, "float64", rng=None, options={"factor": 2})


@pytest.mark.parametrize("layout", ["[::-1]", "[::2]"])
def test_inputs_that_would_be_normalised_are_refused(place, layout):
    """A reversed or strided view is refused. A worker would copy it and time another array than kernel.py's."""
    made = "rng.random(size).astype(dtype) / (factor / factor)"
    text = KERNEL.replace(made, f"rng.random(2 * size).astype(dtype){layout}[:size]")
    assert text != KERNEL
    place.write({"kernel.py": text})
    with pytest.raises(InputError, match=r"inputs returned 'x' with the strides .* which is not C-contiguous"):
        place.plan()
