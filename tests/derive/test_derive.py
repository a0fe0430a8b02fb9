"""Tests that implementations derived from a user's function compute the same results as the function."""

import copy
import importlib.util
import inspect
import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest
import users_functions as functions

from accelbench.derive import messages, trying, writing
from accelbench.derive.observation import Request, answer, at, leaves
from accelbench.derive.source import Refusal
from accelbench.environments import paths
from accelbench.measure import checking
from accelbench.rpc.process import Failed
from accelbench.verify import trial

FILE = Path(functions.__file__)


def observe(name, args, sizes=(12, 30), file=FILE):
    """Observe a function in this process; `try` starts another process for this."""
    return answer(Request(str(file), name, args, sizes=sizes))


def line_of(text):
    return FILE.read_text().splitlines().index(text) + 1


def as_it_is(name):
    """Return a contestant that is the baseline under another name and needs no compiler."""
    return lambda observation: [replace(writing.numpy_derived(observation), name=name)]


def loaded(text, folder, name):
    """Write a derived file with this text, import it, and return the module."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Case:
    size = 30


def run_of(module):
    return module.prepare(Case) if hasattr(module, "prepare") else module.run


def expected(name, given, changed):
    """Call the user's function `name`; return its results, and its arguments with the indices `changed`."""
    own = copy.deepcopy(given)
    returned = getattr(functions, name)(*own)
    return [array for _, array in leaves(returned)] + [np.asarray(own[i]) for i in changed]


@pytest.fixture(scope="module")
def observations():
    return {name: observe(name, args) for name, args in functions.RIGHT.items()}


@pytest.fixture
def unoptimised(monkeypatch):
    """Compile by Numba without LLVM's optimisation, which takes half of the compile time."""
    monkeypatch.setattr(numba.config, "OPT", numba.core.config._OptLevel(0))


# Functions whose compilation by Numba is a slow test, since similar ones are in the fast tests
ALIKE = ("leapfrog", "horner")
PAIRS = [
    pytest.param(name, contestant, marks=[pytest.mark.slow] * (name in ALIKE and contestant == "numba_njit"))
    for name in functions.RIGHT
    for contestant in ("numpy_derived", "numba_njit")
]


@pytest.mark.processes
@pytest.mark.parametrize(("name", "contestant"), PAIRS)
def test_derived_functions_are_right(name, contestant, observations, tmp_path, unoptimised):
    observation = observations[name]
    if contestant == "numpy_derived":
        drafts = [writing.numpy_derived(observation)]
    else:
        drafts = trying.CONTESTANTS[contestant](observation)
    rng = np.random.default_rng(5)
    given = eval(functions.RIGHT[name], {"np": np, "rng": rng, "n": 30})
    given = given if isinstance(given, tuple) else (given,)
    names = list(inspect.signature(getattr(functions, name)).parameters)
    changed = [index for index, each in enumerate(names) if each in observation.changed]
    right = expected(name, given, changed)
    results, refusals = None, []
    for number, draft in enumerate(drafts):
        values = [np.array(at(each.path, given)) for each in observation.inputs]
        outputs = [np.full(r.shape, -1.0).astype(r.dtype) for r in right if r.ndim]
        try:
            run = run_of(loaded(draft.text, tmp_path, f"{contestant}_{number}"))
            returned = run(*[v if v.ndim else v[()] for v in values], *outputs)
        except Exception as error:  # the next draft may succeed
            refusals.append(error)
            continue
        results = outputs if returned is None else list(returned) if isinstance(returned, tuple) else [returned]
        break
    if name in ("clip_by_mask", "gauss_cdf", "recursive") and contestant == "numba_njit":
        assert results is None  # Numba lacks two-dimensional masks, SciPy and this recursion
        return
    assert results is not None, refusals
    assert len(results) == len(right)
    for one, other in zip(results, right, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", functions.REFUSED)
def test_what_cannot_be_derived_is_refused_with_its_line(name):
    args, words, text = functions.REFUSED[name]
    with pytest.raises(Refusal, match=words) as refused:
        observe(name, args)
    assert f"line {line_of(text)}" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("missing", "1.0", "users_functions.py has no missing. Its functions: .*bincount2, "),
        ("Model", "1.0", "has Model, which is a type, not a function. Its functions: "),
        ("every", "1.0", "has every, which is a vectorize, not a function"),
        ("Model.missing", "1.0", "has no Model.missing"),
        ("horner", "rng.random(n)", "--args fails for n = 12: TypeError: .*missing.*'coefficients'. Correct --args"),
        ("horner", "1, 2, 3", "--args fails for n = 12: TypeError: horner.. takes 2 positional arguments"),
        ("blended", "1.0, 2.0, beta=3", "--args fails .* unexpected keyword argument 'beta'"),
        ("horner", "rng.random(n), 1 / 0", "--args fails for n = 12: ZeroDivisionError: division by zero. Correct"),
        ("horner", "rng.random(n", "is not valid Python: '.' was never closed. Correct it. In a shell, put --args"),
    ],
)
def test_the_call_that_cannot_be_made_is_refused(name, args, words):
    with pytest.raises(Refusal, match=words):
        observe(name, args)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("lacks_a_library.py", "\nimport nothing_of_this_name\n", "importing the file fails in line 2: ModuleNotFound"),
        ("raises_at_once.py", "def f(x):\n    return x\n\n1 / 0\n", "importing the file fails in line 4: ZeroDivision"),
        ("ends_python.py", "raise SystemExit", "importing the file fails in line 1: SystemExit: no message. C"),
        (
            "is_no_python.py",
            "def f(x):\n    return x +\n",
            "SyntaxError: .*is_no_python.py, line 2.. Correct",
        ),
        (
            "json.py",
            "def f(x):\n    return x\n",
            "Python imports .*json/__init__.py instead of json.py. Rename json.py",
        ),
        ("notes.txt", "", "there is no Python file .*notes.txt. Name the file"),
    ],
)
def test_a_file_that_cannot_be_imported_is_refused(name, text, words, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / name).write_text(text)
    with pytest.raises(Refusal, match=words):
        observe("f", "1.0", file=tmp_path / name)


def test_arguments_may_be_given_by_keyword(tmp_path):
    """The derived files take the arguments by position."""
    found = observe("blended", "rng.random(n), rng.random(n), offset=rng.random(n)")
    assert [each.name for each in found.inputs] == ["x", "y", "alpha", "offset"]
    given = [np.arange(3.0), np.ones(3), np.float64(0.5), np.full(3, 2.0)]
    result = loaded(writing.numpy_derived(found).text, tmp_path, "numpy_by_keyword").run(*given, np.zeros(3))
    np.testing.assert_array_equal(result, functions.blended(given[0], given[1], alpha=0.5, offset=given[3]))


@pytest.mark.parametrize("name", ["Model.energy", "Model.doubled"])
def test_methods_that_use_no_state_are_derived(name, tmp_path):
    """A method may have the name of the function that it calls."""
    found = observe(name, "rng.random(n)")
    assert writing.kernel_name(found) == name.lower().replace(".", "_")
    x = np.arange(4.0)
    outputs = [np.zeros(4) for each in found.results if each.ndim]
    result = loaded(writing.numpy_derived(found).text, tmp_path, "numpy_of_a_method").run(x, *outputs)
    np.testing.assert_allclose(result, getattr(functions.Model(), name.partition(".")[2])(x))


def test_helpers_may_be_cached_or_compiled():
    found = observe("weighted", "rng.random(n)")
    assert "numba" not in found.text
    assert "def _squared(x):" in found.text
    assert "def _weights(n):" in found.text


def test_changes_in_place_are_observed(observations):
    assert observations["smooth_in_place"].changed == ["u"]
    assert observations["leapfrog"].changed == []


def test_fixed_points_are_no_proof_that_nothing_changes():
    assert observe("smooth_in_place", "np.ones(n), 3", (12,)).changed == ["u"]


def test_whole_numbers_become_constants_and_n_stays(observations):
    parameters = {each.name: each for each in observations["recursive"].parameters}
    assert parameters["depth"].texts == {12: "12", 30: "12"}
    assert "r = recursive(x, 12)" in writing.numpy_derived(observations["recursive"]).text
    by_size = "r = shapes_from_tuple(x, {12: (12, 4), 30: (30, 4)}[case.size])"
    assert by_size in writing.numpy_derived(observations["shapes_from_tuple"]).text


def test_tolerance_follows_the_condition_of_the_problem():
    well = observe("horner", "rng.random(n), rng.random(7)", (30,)).sizes[30].tolerance
    near_cancellation = (
        observe("leapfrog", "rng.random((n, 3)), rng.random((n, 3)), 0.5, 400", (30,)).sizes[30].tolerance
    )
    assert 0 < well < 1e-13 < near_cancellation < 1e-3


def test_a_folder_keeps_what_its_user_edited(tmp_path):
    assert trying.write(tmp_path, {"a.py": "1\n", "b.py": "2\n"}) == []
    (tmp_path / "a.py").write_text("edited\n")
    assert trying.write(tmp_path, {"a.py": "3\n"}) == ["a.py"]
    assert (tmp_path / "a.py").read_text() == "edited\n"
    assert not (tmp_path / "b.py").exists()


def test_messages_name_the_users_line(observations):
    observation = observations["clip_by_mask"]
    (draft,) = trying.CONTESTANTS["numba_njit"](observation)
    line = next(n for n, text in enumerate(draft.text.splitlines(), 1) if "0.8] = 0.8" in text)
    where = f'File "/somewhere/{draft.name}.py", line {line}'
    printed = f"{where}\n    assert idxty.ndim == 1\nAssertionError"
    own = next(n for n, text in enumerate(FILE.read_text().splitlines(), 1) if "0.8] = 0.8" in text)
    found = messages.translate(printed, draft, observation)
    assert found.startswith(f"line {own} `out[image > 0.8] = 0.8`: ")
    assert "np.where" in found
    printed = f"AssertionError: Sizes of $22.11, $50.23 do not match on /somewhere/{draft.name}.py ({line})"
    found = messages.translate(printed, draft, observation)
    assert found.startswith(f"line {own} `out[image > 0.8] = 0.8`: Numba's parallel loops")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: x.max(axis=1), "max"),
        (lambda x: x.any(axis=0), "any"),
        (lambda x: x.sum(axis=1, keepdims=True), "sum"),
        (lambda x: np.median(x, axis=0), "median"),
        (lambda x: np.array_equal(x, x, True), "array_equal"),
    ],
)
def test_messages_name_numpys_function_and_not_numbas(observations, call, name):
    observation = observations["clip_by_mask"]
    (draft,) = trying.CONTESTANTS["numba_njit"](observation)
    with pytest.raises(numba.core.errors.TypingError) as raised:
        numba.njit(call)(np.ones((2, 2)))
    found = messages.translate(str(raised.value), draft, observation)
    assert found == f"Numba does not support np.{name} with these arguments"


def test_a_check_without_an_end_is_told_by_its_outcome(observations, monkeypatch):
    """A check that times out is reported by its outcome, whatever a compiler has printed."""
    observation = observations["clip_by_mask"]
    (draft,) = trying.CONTESTANTS["numba_njit"](observation)
    late = Failed("timeout", "it ended without a message", alive=False)
    monkeypatch.setattr(checking.Checker, "check", lambda self, threads: self._failed(late, ""))
    bench = SimpleNamespace(
        folder=SimpleNamespace(implementations={draft.name: None}),
        build_failure=lambda implementation, device: None,
        artifacts=lambda implementation, device: [],
    )
    case = SimpleNamespace(device="cpu", threads=1)
    found = trying._on(bench, draft, case, observation=observation)
    assert found[0] == trying.LATE
    limit_s = trying.CHECK_S + trying.CHECK_CALLS * max(each.seconds for each in observation.sizes.values())
    assert found[1].startswith(f"the limit is {limit_s:.3g} s. Use operations on whole arrays")


def test_messages_name_the_line_of_an_import(observations):
    (draft,) = trying.CONTESTANTS["pythran_derived"](observations["gauss_cdf"])
    (file,) = draft.extra
    line = draft.extra[file].splitlines().index("from scipy.special import erf") + 1
    found = messages.translate(f"{file}:{line}:0 error: no such function", draft, observations["gauss_cdf"])
    assert found.startswith(f"line {line_of('from scipy.special import erf')} `from scipy.special import erf`: Pythran")


def test_messages_of_pytorch_name_the_cause(observations):
    (draft,) = trying.CONTESTANTS["torch_compile"](observations["clip_by_mask"])
    printed = (
        "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n  Explanation: Dynamo failed "
        "to run FX node with fake tensors: call_function <mul>(*(FakeTensor(..., size=(9,)), 2.0), **{}): "
        """got AttributeError("'ndarray' object has no attribute 'mul'")\n  Hint: Your code may result in an error"""
    )
    found = messages.translate(printed, draft, observations["clip_by_mask"])
    assert found == "PyTorch: 'ndarray' object has no attribute 'mul'"


@pytest.mark.parametrize(("body", "has_context"), [("x * 2", False), ("x + np.ones(len(x))", True)])
def test_pytorch_gets_a_device_only_for_new_arrays(body, has_context, tmp_path):
    """`with x.device` prevents PyTorch from tracing the function, so a draft has it only if arrays are made."""
    file = tmp_path / f"own_{has_context}.py"
    file.write_text(f"import numpy as np\n\n\ndef changed(x):\n    return {body}\n")
    (draft,) = trying.CONTESTANTS["torch_compile"](observe("changed", "rng.random(9)", file=file))
    assert ("with x.device" in draft.text) == has_context


def test_a_contestant_that_is_refused_before_its_check_is_in_the_folder(tmp_path):
    file = tmp_path / "own_root.py"
    file.write_text("import numpy as np\n\n\ndef root(x):\n    return np.sqrt(x)\n")
    observation = observe("root", "rng.random(9)", file=file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trying, "CONTESTANTS", {"cython_typed": trying.CONTESTANTS["cython_typed"]})
        outcomes = list(trying.outcomes(observation, tmp_path / "tried"))
    trying.write_outcomes(tmp_path / "root", observation, outcomes)
    implementation = trial.load(tmp_path / "root").implementations["cython_typed"]
    assert (implementation.problem, outcomes[0].state) == (None, trying.REFUSED)


def test_the_reason_of_a_refusal_is_the_last_drafts(tmp_path):
    """The last draft contains none of the calls that Numba refuses, so its reason is what remains to be mended."""
    file = tmp_path / "own_softmax.py"
    file.write_text("import numpy as np\n\n\ndef scaled(x):\n    return x / x.max(axis=1, keepdims=True)\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trying, "CONTESTANTS", {"numba_parallel": trying.CONTESTANTS["numba_parallel"]})
        (outcome,) = trying.outcomes(observe("scaled", "rng.random((9, 9))", file=file), tmp_path / "tried")
    where = "line 5 `return x / x.max(axis=1, keepdims=True)`"
    assert outcome.reason == f"{where}: Numba's parallel loops cannot combine arrays of these shapes"


def test_launches_and_reads_of_a_gpu_are_counted(observations):
    rowwise, elementwise = observations["softmax"], observations["convolve"]
    assert rowwise.sizes[12].launches == rowwise.sizes[30].launches > 4
    assert rowwise.sizes[30].reads == 0
    assert elementwise.sizes[30].reads == 2 * 28 * 28 * 9  # two elements per product
    found = messages.launches(elementwise)
    assert re.match(
        r"a call on a GPU takes at least 2\d\d\.\d\d ms, for [\d,]+ kernel launches and 14,112 copies", found
    )


def test_calls_that_numba_lacks_are_written_in_others(observations):
    plain, cured = trying.CONTESTANTS["numba_njit"](observations["softmax"])
    assert "_max_last(x)" not in plain.text
    assert "e = np.exp(x - _max_last(x))" in cured.text
    assert "def _sum_last(x):" in cured.text


ALONG_AN_AXIS = (
    "x.max(axis=1, keepdims=True)",
    "np.exp(x - 1).sum(axis=-1, keepdims=True)",
    "np.mean(x, axis=1)",
    "x.min(axis=0)",
    "(x > 0.5).any(axis=-1)",
    "np.median(np.sqrt(x), axis=0, keepdims=True)",
    "x.max(axis=0).std(axis=1)",
)


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaPerformanceWarning")
@pytest.mark.parametrize(
    ("contestant", "expressions"), [("numba_njit", ALONG_AN_AXIS), ("numba_parallel", ALONG_AN_AXIS[:1])]
)
def test_reductions_along_an_axis_are_those_of_numpy(contestant, expressions, tmp_path):
    """Numba refuses these calls as the user writes them. The array has three dimensions."""
    file = tmp_path / f"own_{contestant}.py"
    file.write_text(f"import numpy as np\n\n\ndef reductions(x):\n    return {', '.join(expressions)}\n")
    draft = trying.CONTESTANTS[contestant](observe("reductions", "rng.random((3, 4, 5))", file=file))[-1]
    names, x = {}, np.random.default_rng(1).random((3, 4, 5))
    exec(draft.text, names)
    results = names["reductions"](x)
    for result, expression in zip([results] if len(expressions) == 1 else results, expressions, strict=True):
        expected = eval(expression, {"np": np, "x": x})
        assert result.shape == expected.shape
        np.testing.assert_allclose(result, expected, rtol=1e-14)


def test_loops_and_stores_become_functional(observations):
    rolled, plain = trying.CONTESTANTS["jax_jit"](observations["convolve"])
    assert "out = _store(out, (i, j), " in rolled.text or "out = out.at[i, j].set(total)" in rolled.text
    assert rolled.text.count("_repeat(_test") == 4
    assert "_repeat(" not in plain.text
    (changing,) = [
        d for d in trying.CONTESTANTS["jax_jit"](observations["smooth_in_place"]) if "_repeat(" not in d.text
    ]
    assert "return (None, u)" in changing.text


@pytest.mark.slow
@pytest.mark.skipif(not Path(paths.absolute(paths.default_python("jax"))).exists(), reason="make install LOCK=jax")
def test_jax_is_right_or_says_which_line_it_cannot_compile(observations, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(trying, "CONTESTANTS", {"jax_jit": trying.CONTESTANTS["jax_jit"]})
    many = observe("prefix_sums", "rng.random(n)", sizes=(2000,))
    states = {}
    for observation in (*map(observations.get, ("convolve", "collatz", "smooth_in_place", "count_primes")), many):
        (states[observation.name],) = trying.outcomes(observation, tmp_path / "kernels")
    assert {name for name, outcome in states.items() if outcome.state == trying.RIGHT} == {
        "convolve",
        "collatz",
        "smooth_in_place",
    }
    assert "`if sieve[i]:`: a branch depends on the data" in states["count_primes"].reason
    line = next(n for n, text in enumerate(FILE.read_text().splitlines(), 1) if "out[i] = np.sum(x[:i])" in text) - 1
    assert states["prefix_sums"].reason.startswith(f"line {line}: its loops unroll into 8,")


def test_arguments_may_use_the_module_and_its_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "own_data.py").write_text("import numpy as np\ndef make(n):\n    return np.arange(1.0, n + 1)\n")
    file = tmp_path / "stretching.py"
    file.write_text("STEP = 2.0\ndef f(x, step):\n    return x * step\n")
    found = answer(Request(str(file), "f", "make(n), STEP", "from own_data import make", (5, 6)))
    assert found.scaled  # other random numbers would give the same inputs
    assert trying.write_folder(tmp_path / "derived" / "f", [], found) == []
    text = (tmp_path / "derived" / "f" / "kernel.py").read_text()
    assert str(tmp_path) not in text
    kernel = loaded(text, tmp_path / "derived" / "f", "kernel")
    assert sys.path[0] == str(tmp_path)
    assert list(kernel.DIGESTS) == ["stretching.py"]
    with pytest.raises(Refusal, match="name 'nothing_known' is not defined"):
        observe("f", "nothing_known, 1.0", file=file)


def test_arguments_are_captured_from_a_script(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "powers.py").write_text("def f(x, *, power):\n    return x ** power\n")
    script = "import numpy as np\nfrom powers import f\nfor n in (4, 9):\n    f(np.arange(n) + 1.0, power=3)\n"
    (tmp_path / "script.py").write_text(script)
    monkeypatch.chdir(tmp_path)
    found = answer(Request("powers.py", "f", script="script.py"))
    assert list(found.sizes) == [4, 9]
    assert found.parameters[1].texts == {4: "3", 9: "3"}
    (tmp_path / "script.py").write_text("import powers\n")
    with pytest.raises(Refusal, match=r"in script\.py: the script does not call f\. Correct the script, or use --args"):
        answer(Request("powers.py", "f", script="script.py"))


@pytest.mark.processes
def test_checks_find_what_computes_something_else(observations, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def wrong(observation):
        (draft,) = as_it_is("numpy_wrong")(observation)
        return [replace(draft, text=draft.text.replace("SCALE * result", "SCALE * result + 1e-9"))]

    monkeypatch.setattr(trying, "CONTESTANTS", {"numpy_wrong": wrong, "numba_njit": trying.CONTESTANTS["numba_njit"]})
    outcomes = {each.name: each for each in trying.outcomes(observations["horner"], tmp_path / "kernels")}
    assert outcomes["numpy_wrong"].state == trying.WRONG
    assert "elements differ, the worst at" in outcomes["numpy_wrong"].reason
    assert outcomes["numba_njit"].state == trying.RIGHT


@pytest.mark.processes
def test_a_check_ends_at_its_limit_and_no_further_draft_is_tried(observations, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def slow(observation):
        (draft,) = as_it_is("numpy_slow")(observation)
        text = draft.text.replace("    r = ", "    __import__('time').sleep(40)\n    r = ")
        assert text != draft.text
        return [replace(draft, text=text), draft]

    monkeypatch.setattr(trying, "CHECK_S", 3.0)
    monkeypatch.setattr(trying, "CONTESTANTS", {"numpy_slow": slow})
    begin = time.monotonic()
    (outcome,) = trying.outcomes(observations["horner"], tmp_path / "kernels")
    assert time.monotonic() - begin < 30
    assert outcome.state == trying.LATE
    assert outcome.reason.startswith("the limit is 3")


@pytest.mark.processes
def test_a_device_that_nothing_is_measured_on_is_left_out(observations, tmp_path, monkeypatch):
    """A second GPU that the configuration does not name is such a device."""
    monkeypatch.chdir(tmp_path)
    ready, first_case = trying.checking.ready, trying.checking.first_case

    def with_another(*arguments, **named):
        bench = ready(*arguments, **named)
        devices = bench.machine.backends["numpy"].devices
        devices.append(replace(devices[0], name="another"))
        return bench

    def planned(bench, name, device):
        return None if device == "another" else first_case(bench, name, device)

    monkeypatch.setattr(trying.checking, "ready", with_another)
    monkeypatch.setattr(trying.checking, "first_case", planned)
    monkeypatch.setattr(trying, "CONTESTANTS", {"numpy_again": as_it_is("numpy_again")})
    (outcome,) = trying.outcomes(observations["horner"], tmp_path / "kernels")
    assert outcome.state == trying.RIGHT


def test_a_number_that_changes_its_type_has_no_c_type(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    text = (
        "def f(x, k):\n    k = k / 2\n    for i in range(x.shape[0]):\n        x[i] = x[i] * k\n    return x.shape[0]\n"
    )
    (tmp_path / "halving.py").write_text(text)
    found = observe("f", "rng.random(n), 3", sizes=(5,), file=tmp_path / "halving.py")
    (draft,) = trying.CONTESTANTS["cython_typed"](found)
    assert "x='double[::1]'" in draft.text
    assert "k='" not in draft.text


def test_constant_defaults_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    text = "STEP = 2.0\ndef f(x, k=[1.0], step=STEP, *, low=-1, power=None):\n    return x[0] * k[0] * step + low\n"
    (tmp_path / "defaults.py").write_text(text)
    found = observe("f", "rng.random(n), [2.0]", sizes=(5,), file=tmp_path / "defaults.py")
    for name in ("numba_njit", "cupy_derived", "jax_jit"):
        (draft,) = trying.CONTESTANTS[name](found)
        assert "def f(x, k, step=STEP, low=-1, power=None):" in draft.text
    (draft,) = trying.CONTESTANTS["pythran_derived"](found)
    assert "def f(x, k, step, low, power):" in draft.extra["_pythran_f.py"]
    derived = loaded(writing.numpy_derived(found).text, tmp_path, "numpy_derived")
    assert derived.f(np.array([3.0]), [2.0]) == 11.0


def test_a_dictionary_is_not_iterated_over(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    text = "def f(x, rates):\n    for name, rate in rates.items():\n        x = x * rate\n    return x\n"
    (tmp_path / "iterating.py").write_text(text)
    with pytest.raises(
        Refusal, match=r"line 2 iterates over rates, a dictionary, list or tuple\. Use each entry by its"
    ):
        observe("f", "rng.random(n), {'a': 1.0}", sizes=(5,), file=tmp_path / "iterating.py")
