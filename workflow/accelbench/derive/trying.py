"""Check drafts against the function, each in a process of its own; write those that are right as a kernel folder."""

import contextlib
import dataclasses
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import yaml

from accelbench import backends
from accelbench.config import parse
from accelbench.config.placing import everywhere
from accelbench.config.select import EffectiveConfig
from accelbench.derive import cython_functions, jax_functions, messages, numba_functions, other_functions, writing
from accelbench.derive.arguments import CALLS
from accelbench.derive.observation import MARGIN
from accelbench.derive.source import Refusal
from accelbench.errors import InputError
from accelbench.measure import checking
from accelbench.store import files
from accelbench.verify import trial

HOME = Path("results", ".derive")  # what checking builds and writes
CALL_S = 30.0  # that a call may take when it is checked, compiling included
DIGESTS = ".derived.json"  # {file: digest of what was written} in a derived folder
# Contestants in the order in which they are tried: those that compile fast first. {name: what derives it}
CONTESTANTS = {
    "numba_njit": numba_functions.drafts,
    "numba_parallel": numba_functions.drafts,
    "cython_typed": cython_functions.drafts,
    "jax_jit": jax_functions.drafts,
    "torch_compile": other_functions.torch,
    "cupy_derived": other_functions.cupy,
    "pythran_derived": other_functions.pythran,
}
RIGHT, WRONG, REFUSED, ABSENT = "right", "wrong", "refused", "not installed"


@dataclass
class Outcome:
    """What became of a contestant: its state, the Draft that was taken or refused last, and why."""

    name: str
    state: str
    draft: writing.Draft | None = None
    reason: str = ""


def draft_all(observation):
    """Return {contestant: its Drafts, or the Refusal that says why there are none}."""
    found = {}
    for name, derive in CONTESTANTS.items():
        try:
            found[name] = derive(observation)[name]
        except Refusal as refusal:
            found[name] = refusal
    return found


def write_folder(folder, drafts, observation):
    """Write a kernel folder with the baseline and these Drafts."""
    texts = {"kernel.py": writing.kernel(observation, MARGIN)}
    for draft in (writing.numpy_derived(observation), *drafts):
        texts |= {f"{draft.name}{draft.suffix}": draft.text, **draft.extra}
    edited = write(folder, texts)
    if observation.calls:
        files.write(folder / CALLS, Path(observation.calls).read_bytes())
    return edited


def write(folder, texts):
    """Write {file name: text} into a folder; returns the names of files that the user has changed, which are kept.

    What an earlier call wrote and no longer writes is removed.
    """
    record = folder / DIGESTS
    known = json.loads(record.read_text()) if record.is_file() else {}
    edited = []
    for name in {*known, *texts}:
        path = folder / name
        if path.is_file() and files.digest(path.read_text(encoding="utf-8")) != known.get(name):
            edited.append(name)
        elif name in texts:
            files.write(path, texts[name])
            known[name] = files.digest(texts[name])
        else:
            path.unlink(missing_ok=True)
            del known[name]
    files.write_json(record, known)
    return sorted(edited)


class Trials:
    """The drafts of a function in a kernel folder of their own, checked one by one."""

    def __init__(self, observation, folder):
        self._observation, self._drafts = observation, draft_all(observation)
        self._folder = folder / writing.kernel_name(observation)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._copies = {
            name: [_numbered(draft, number) for number, draft in enumerate(drafts, 1)]
            for name, drafts in self._drafts.items()
            if not isinstance(drafts, Refusal)
        }
        write_folder(self._folder, [copy for copies in self._copies.values() for copy in copies], observation)
        settings = {"kernels_path": [str(folder.resolve())], "threads": ["all"], "peaks": False}
        config = everywhere(parse(settings, "try"))
        self._config = EffectiveConfig.of(config, trial.load(self._folder))

    def outcomes(self):
        """Yield the Outcome of each contestant as soon as it is known."""
        for name, drafts in self._drafts.items():
            if isinstance(drafts, Refusal):
                yield Outcome(name, REFUSED, None, messages.in_users_lines(str(drafts), self._observation))
            else:
                yield self._outcome(name, drafts)

    def _outcome(self, name, drafts):
        found = None
        for draft, copy in zip(drafts, self._copies[name], strict=True):
            outcome = self._try(draft, copy)
            if outcome.state in (RIGHT, ABSENT):
                return outcome
            found = found if found is not None and outcome.state == REFUSED else outcome
        return found

    def _try(self, draft, copy):
        """Return the Outcome of one Draft."""
        try:
            bench = checking.ready(self._config, [copy.name], home=HOME)
        except InputError as error:
            return Outcome(draft.name, REFUSED, draft, str(error))
        implementation = bench.folder.implementations[copy.name]
        with contextlib.closing(bench.verifier), contextlib.closing(checking.InputCache(bench)) as inputs:
            state = bench.machine.found[implementation.environment, implementation.backend]
            if implementation.problem:
                return Outcome(draft.name, REFUSED, draft, implementation.problem)
            if not state.available:
                on_gpu = draft.name.startswith("cupy")
                reason = messages.without_gpu(self._observation, state.reason) if on_gpu else state.reason
                return Outcome(draft.name, ABSENT, draft, reason)
            for device in state.devices:
                outcome = self._on(inputs, draft, copy, device=device)
                if outcome.state != RIGHT:
                    return outcome
            return outcome

    def _on(self, inputs, draft, copy, *, device):
        bench = inputs.bench
        implementation = bench.folder.implementations[copy.name]
        if bench.build_failure(implementation, device.name) is not None:
            printed = "\n".join(each.log for each in bench.artifacts(implementation, device.name))
            return Outcome(draft.name, REFUSED, draft, messages.translate(printed, copy, self._observation))
        case = checking.first_case(bench, copy.name, device.name)
        seen = checking.Seen(copy.name, lambda line: None)
        checking.Checker(inputs, case, seen, deadline_s=CALL_S).check()
        if seen.right and not seen.mistakes and not seen.unsupported:
            if "no transformation for parallel execution" in seen.printed:
                return Outcome(draft.name, REFUSED, draft, "Numba finds no loop to run in parallel")
            return Outcome(draft.name, RIGHT, draft)
        if seen.wrong:
            return Outcome(draft.name, WRONG, draft, f"computes something else: {seen.reasons[0]}")
        printed = f"{seen.printed}\n{seen.reasons[0]}"
        return Outcome(draft.name, REFUSED, draft, messages.translate(printed, copy, self._observation))


def _numbered(draft, number):
    """Return a Draft under a name of its own: several of one contestant stand in one folder."""
    return dataclasses.replace(draft, name=f"{draft.name}_{number}")


def write_outcomes(folder, observation, outcomes):
    """Write the derived kernel folder; returns the names of files that the user has changed, which are kept."""
    drafts = []
    for outcome in outcomes:
        if outcome.state == RIGHT:
            drafts.append(outcome.draft)
        elif outcome.state in (WRONG, REFUSED) and outcome.draft is not None:
            drafts.append(writing.refused(outcome.draft, outcome.reason))
    return write_folder(folder, drafts, observation)


def configure(home, machine):
    """Write the configuration that measures every kernel in the folder `home` under the name of a machine."""
    used = {backends.of(path.stem) for path in home.glob("*/*.py*")}
    environments = {}
    for name, own in everywhere(parse({}, "try")).environments.items():
        served = sorted(used.intersection(own.backends))
        if served:
            environments[name] = {"backends": served} | ({"python": own.python} if own.python else {})
    settings = {"kernels_path": [str(home.resolve())], "machines": {machine: {}}, "threads": ["all"], "peaks": False}
    files.write(home / "derived.yaml", yaml.safe_dump(settings | {"environments": environments}))
