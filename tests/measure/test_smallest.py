"""Tests of a kernel's smallest size, and of functions in a kernel.py that fail at one size."""

import command_line
import pytest
from place import DOC, KERNEL, RUN

from accelbench.config import select
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.measure import checking

pytestmark = pytest.mark.usefixtures("devices_looked_for_once")

NOTED = """
def noted(function):
    from functools import wraps
    from pathlib import Path

    @wraps(function)
    def called(*arguments, **named):
        with Path(__file__).with_name("sizes.txt").open("a") as stream:
            print(named["size"], file=stream)
        return function(*arguments, **named)

    return called

inputs, outputs, bytes_moved, flops = map(noted, (inputs, outputs, bytes_moved, flops))
"""


def invoke(place, *words):
    catalog._load.cache_clear()
    return command_line.invoke(*words)


def check(place):
    return invoke(place, "check", "twice", "--configfile", place.own)


def smallest(text, size):
    return text.replace('options={"factor": 2}', f'options={{"factor": 2}}, smallest={size}')


def failing(function, size):
    """Return the source of the kernel `twice`, in which `function` fails at `size`."""
    (line,) = [line for line in KERNEL.splitlines() if line.startswith(f"def {function}(")]
    head, body = line.split(": ", 1)
    asking = head if "size" in head else head.replace("(x", "(x, size")
    return KERNEL.replace(line, f"{asking}:\n    if size == {size}: raise ValueError('a grid needs more')\n    {body}")


@pytest.mark.processes
def test_no_function_is_called_below_it(place, monkeypatch):
    monkeypatch.chdir(place.folder)
    place.write({"kernel.py": smallest(KERNEL, 5) + NOTED, "python_loop.py": DOC + RUN})
    told = check(place)
    assert told.exit_code == 0, told.output
    assert "numpy_ufunc on cpu: right (18 problems)" in told.output  # 5, 7, 8, 9, 31, 32, 33, 97, 1000 in two dtypes
    place.sweep()
    with pytest.raises(InputError, match=r"kernel\.py: size 4 is below the smallest size, 5"):
        catalog.load(place.kernel).outputs(4, "float64", {"factor": 2})
    assert min(map(int, (place.kernel / "sizes.txt").read_text().split())) == 5


def test_a_size_beyond_all_that_check_tries_is_tried(place, monkeypatch):
    monkeypatch.chdir(place.folder)
    text = smallest(KERNEL, 2000)
    place.write({"kernel.py": text.replace("(100,)", "(2000,)")})
    told = check(place)
    assert "numpy_ufunc on cpu: right (2 problems)" in told.output


@pytest.mark.parametrize(
    ("keys", "key"),
    [({"sizes": [100, 4]}, "sizes"), ({"kernels": {"twice": {"sizes": [4]}}}, "kernels.twice.sizes")],
)
def test_a_configured_size_below_it_is_refused_with_its_key(place, keys, key):
    place.write({"kernel.py": smallest(failing("outputs", 4), 5)})
    place.configure(keys)
    with pytest.raises(InputError) as refused:
        place.plan()
    assert str(refused.value) == f"{place.own}: {key}: 4 is below the smallest size of twice. Write 5 or more"
    for command in ("build", "measure"):
        assert f"{place.own}: {key}: 4 is below" in place.refusal(command, "twice")
    assert f"{place.own}: {key}: 4 is below" in check(place).stderr


def test_the_size_of_a_case_that_is_named_is_refused_too(place):
    place.write({"kernel.py": smallest(KERNEL, 5)})
    with pytest.raises(InputError, match=r"sizes: 4 is below the smallest size of twice"):
        select.with_case(place.plan()["twice"], "twice/numpy_ufunc/float64/4/cpu/threads=1")


@pytest.mark.parametrize("function", ["inputs", "reference", "bytes_moved"])
def test_a_size_that_fails_costs_that_size(place, function, monkeypatch):
    monkeypatch.chdir(place.folder)
    monkeypatch.setattr(checking, "SIZES", (0, 7, 97))
    place.write({"kernel.py": failing(function, 7), "numpy_sum.py": DOC + RUN})
    told = check(place)
    assert told.exit_code == 1, told.output
    for name in ("numpy_ufunc", "numpy_sum"):
        said = f"{name} on cpu: float64, size 7: error: "
        assert said in told.output
        assert f"{function} fails for size=7" in told.output
        assert f"{name} on cpu: 2 problems wrong, 6 right" in told.output


@pytest.mark.processes
def test_a_size_that_fails_while_measuring_costs_that_size(place):
    place.write({"kernel.py": failing("reference", 70)})
    place.configure({"sizes": [50, 70]})
    place.sweep()
    for (_, _, size), record in place.outcomes().items():
        assert record["outcome"] == ("error" if size == 70 else "ok"), record["reason"]
        assert size == 50 or "reference fails for size=70" in record["reason"]


def test_the_messages_of_a_failing_function_name_the_remedy(place):
    place.write({"kernel.py": failing("reference", 2)})
    with pytest.raises(InputError, match=r"reference fails for size=2.*Kernel\(smallest=\.\.\.\) sets"):
        place.plan()


def test_skeletons_are_written_for_a_kernel_with_a_smallest_size(place):
    place.write({"kernel.py": smallest(failing("inputs", 2), 5)})
    told = invoke(place, "new", "twice", "cffi_api", "--directory", place.kernel.parent)
    assert told.exit_code == 0, told.output
    assert (place.kernel / "cffi_api.py").exists()
