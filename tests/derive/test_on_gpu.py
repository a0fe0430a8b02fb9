"""Tests that derive five functions for CuPy, JAX and PyTorch, check them on a GPU, and measure them in one run."""

import os
import subprocess
import sys

import pytest
import users_functions as functions

from accelbench.derive import answer, trying
from accelbench.derive.observation import Request
from accelbench.derive.observation import observe as ask
from accelbench.processes.supervision import with_package

pytestmark = [pytest.mark.gpu, pytest.mark.slow]

NAMES = ("smooth_in_place", "two_outputs", "clip_by_mask", "leapfrog", "softmax")
# {contestant: its functions}: only two for PyTorch, which compiles a function for up to a minute
FUNCTIONS = {"jax_jit": NAMES, "cupy_derived": NAMES, "torch_compile": ("smooth_in_place", "softmax")}
SIZES = (100, 1000)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("gpu")


@pytest.fixture(scope="module")
def outcomes(home):
    """Return {function: {contestant: its Outcome}}; write the derived files to `home`."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        contestants = trying.CONTESTANTS
        for name in NAMES:
            derived = {each: contestants[each] for each, these in FUNCTIONS.items() if name in these}
            patch.setattr(trying, "CONTESTANTS", derived)
            observation = ask(Request(functions.__file__, name, functions.RIGHT[name], sizes=SIZES))
            own = list(trying.outcomes(observation, trying.HOME / "kernels"))
            trying.write_outcomes(home / "derived" / name, observation, own)
            found[name] = {outcome.name: outcome for outcome in own}
        trying.configure(home / "derived", "derived")
    return found


@pytest.fixture(scope="module")
def log(home, outcomes):
    """Return the end of the output of a run that measures all contestants."""
    words = ["run", "--configfile", "derived/derived.yaml", "--config", "protocol={repetitions: 1}"]
    done = subprocess.run(
        [sys.executable, "-m", "accelbench", *words],
        cwd=home,
        env=with_package(os.environ),
        capture_output=True,
        text=True,
    )
    return (done.stdout + done.stderr)[-3000:]


@pytest.mark.parametrize(("contestant", "name"), [(each, name) for each in FUNCTIONS for name in FUNCTIONS[each]])
def test_a_derived_function_is_right_on_a_gpu(contestant, name, outcomes):
    outcome = outcomes[name][contestant]
    assert (outcome.state, outcome.reason) == (trying.RIGHT, "")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_right_is_measured(name, home, outcomes, log):
    found = {row.name for row in answer.measured(home / "results" / "derived", name)}
    right = {outcome.name for outcome in outcomes[name].values() if outcome.state == trying.RIGHT}
    assert found == {"numpy_derived", *right}, log
