"""Checks of drafts (texts of derived implementations) in separate processes, and the kernel folder of correct drafts.

A draft is correct if its results agree with those of the user's function. A derived version is an
implementation that is derived for one library. It may have several drafts.
"""

import contextlib
import os.path
import re
import shutil
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

import yaml

from accelbench.config import parse, select
from accelbench.derive import arguments, contestants, jax_functions, messages, source, tolerance, writing
from accelbench.measure import checking
from accelbench.store import files
from accelbench.verify import trial

HOME = Path("results", ".derive")  # Folder of the builds and files of a check
DIGESTS = ".derived.json"  # File in a derived folder: {file name: digest of the text that was written}
# {derived version: function that derives its drafts}, in the order of the trials: fast compilers first
CONTESTANTS = {
    "numba_njit": contestants.numba,
    "numba_parallel": partial(contestants.numba, parallel=True),
    "cython_typed": contestants.cython,
    "jax_jit": jax_functions.drafts,
    "torch_compile": contestants.torch,
    "cupy_derived": contestants.cupy,
    "pythran_derived": contestants.pythran,
}
RIGHT, WRONG, REFUSED, LATE, ABSENT, NO_GPU = (
    "right",
    "wrong",
    "refused",
    "compiles too long",
    "not available",
    "needs an NVIDIA GPU",
)
# Timeout of a checked call with compilation: CHECK_S seconds plus CHECK_CALLS times the time of NumPy's slowest call
CHECK_S, CHECK_CALLS = 60.0, 20


@dataclass
class Outcome:
    """Result of the check of a derived version: the state of one of its Drafts, the state's reason, and this Draft."""

    name: str
    state: str
    reason: str
    draft: writing.Draft | None = None


def write_folder(folder, drafts, observation):
    """Write a kernel folder with the baseline and these Drafts.

    Keep files that the user has changed, and return their names.
    """
    texts = {
        "kernel.py": re.sub(  # make the path of the user's folder relative to the kernel folder
            r"(?<=sys.path.insert\(0, )'(.*)'(?=\))",
            lambda match: f"str(Path(__file__).parent.joinpath({os.path.relpath(match[1], folder)!r}).resolve())",
            writing.kernel(observation, tolerance.MARGIN),
        )
    }
    for draft in (writing.numpy_derived(observation), *drafts):
        texts |= {f"{draft.name}{draft.suffix}": draft.text, **draft.extra}
    if observation.calls:
        files.write(folder / arguments.CALLS, Path(observation.calls).read_bytes())
    return write(folder, texts)


def write(folder, texts):
    """Write {file name: text} into a folder. Keep files that the user has changed, and return their names.

    Remove files of earlier calls that are not among `texts`, unless the user has changed them.
    """
    record = folder / DIGESTS
    known = files.read_json(record) if record.is_file() else {}
    present = [name for name in {*known, *texts} if (folder / name).is_file()]
    edited = sorted(name for name in present if files.digest((folder / name).read_text("utf-8")) != known.get(name))
    for name in known.keys() - texts.keys() - set(edited):
        (folder / name).unlink(missing_ok=True)
    for name in texts.keys() - set(edited):
        files.write(folder / name, texts[name])
    files.write_json(record, {name: files.digest(text) for name, text in texts.items()})
    return edited


def outcomes(observation, home):
    """Yield the Outcome of each derived version when its check ends. The drafts are checked in a folder in `home`.

    The drafts of a version are checked in order until one is neither wrong nor refused.
    """
    drafts = {}
    for name, derive in CONTESTANTS.items():
        try:
            drafts[name] = derive(observation)
        except source.Refusal as refusal:
            reason = re.sub(r"\bline (\d+)", lambda line: source.place(observation.files, int(line[1])), str(refusal))
            draft = writing.Draft(name, f'"""{name} is not derived."""\n', {}, ".pyx" if "cython" in name else ".py")
            yield Outcome(name, REFUSED, reason, draft)
    folder = home / writing.kernel_name(observation)
    shutil.rmtree(folder, ignore_errors=True)
    copies = {  # {version: its drafts with the code for the check}
        name: [replace(d, name=f"{name}_{i}" if i else name, text=f"{d.text}{d.guard}") for i, d in enumerate(several)]
        for name, several in drafts.items()
    }
    write_folder(folder, chain(*copies.values()), observation)
    settings = parse(
        {
            "kernels_path": [str(home.resolve())],
            "threads": ["all"],
            "peaks": False,
            "build": {"timeout_s": 120},  # Pythran takes minutes to compile some files
        },
        "try",
    )
    config = select.EffectiveConfig.of(settings.with_every_environment(), trial.load(folder))
    for name, several in drafts.items():
        tried = []
        for verdict in _try(copies[name], config, observation):
            tried.append(Outcome(name, *verdict, several[len(tried)]))
            if tried[-1].state not in (WRONG, REFUSED):
                break
        yield next((outcome for outcome in reversed(tried) if outcome.state != REFUSED), tried[-1])


def _try(drafts, config, observation):
    """Yield (state, reason) of each Draft of a derived version."""
    bench = checking.ready(config, [draft.name for draft in drafts], home=HOME)
    with contextlib.closing(bench.verifier):
        for draft in drafts:
            implementation = bench.folder.implementations[draft.name]
            state = bench.machine.probes[implementation.environment, implementation.backend]
            if implementation.problem:
                yield REFUSED, implementation.problem
            elif not state.available:
                yield (
                    (NO_GPU, messages.launches(observation))
                    if draft.name == "cupy_derived" and not bench.machine.gpus
                    else (ABSENT, state.reason)
                )
            else:
                cases = [checking.first_case(bench, draft.name, device.name) for device in state.devices]
                # `first_case` returns None for a second GPU of the same model.
                verdicts = [_on(bench, draft, case, observation=observation) for case in filter(None, cases)]
                yield next((verdict for verdict in verdicts if verdict[0] != RIGHT), verdicts[0])


def _on(bench, draft, case, *, observation):
    """Return (state, reason) of a Draft on the device of a case."""
    implementation = bench.folder.implementations[draft.name]
    limit_s = CHECK_S + CHECK_CALLS * max(at_size.seconds for at_size in observation.sizes.values())
    checker = checking.Checker(bench, case, place=draft.name, tell=lambda line: None, deadline_s=limit_s)
    if bench.build_failure(implementation, case.device) is None:
        checker.check(case.threads)
    logs = [artifact.log for artifact in bench.artifacts(implementation, case.device)]
    printed = "\n".join([*logs, checker.printed, *checker.reasons[:1]])
    if "wrong_result" in checker.outcomes:
        return WRONG, f"computes other results: {checker.reasons[0]}"
    if set(checker.outcomes) == {"ok"} and messages.NOT_PARALLEL not in printed:
        return RIGHT, ""
    late = LATE, f"the limit is {limit_s:.3g} s. Use operations on whole arrays instead of loops, or smaller sizes"
    return late if "timeout" in checker.outcomes else (REFUSED, messages.translate(printed, draft, observation))


def write_outcomes(folder, observation, tried):
    """Write the derived kernel folder. Keep files that the user has changed, and return their names.

    For a version that is not right, the folder has a file that raises NotImplementedError with the reason.
    """
    return write_folder(
        folder,
        [
            outcome.draft if outcome.state == RIGHT else writing.refused(outcome.draft, outcome.reason)
            for outcome in tried
            if outcome.draft is not None
        ],
        observation,
    )


def copy_builds(kernel, results):
    """Copy the builds of the check into a results folder, so that a run does not build them again."""
    for built in Path(HOME, "build", kernel).glob("*/"):
        shutil.copytree(built, results / "build" / kernel / built.name, dirs_exist_ok=True)


def configure(home, machine):
    """Write a configuration that measures every kernel in the folder `home`, with results under the name `machine`."""
    settings = {"kernels_path": [str(home.resolve())], "machines": {machine: {}}, "threads": ["all"], "peaks": False}
    files.write(
        home / "derived.yaml",
        yaml.safe_dump(
            settings
            | parse({}, "try")
            .with_every_environment()
            .model_dump(mode="json", include={"environments"}, exclude_none=True)
        ),
    )
