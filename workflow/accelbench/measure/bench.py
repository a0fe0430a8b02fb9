"""A kernel ready to be run on a machine: what was configured, found and built, and workers for its cases."""

import platform
from pathlib import Path
from typing import Any

from accelbench import backends, toolchains
from accelbench.config.select import EffectiveConfig
from accelbench.errors import InputError
from accelbench.machine.memory import free_memory_bytes
from accelbench.measure.case_runner import DEADLINE_FACTOR, CaseRunner
from accelbench.measure.client import Client
from accelbench.measure.footprint import Footprint
from accelbench.measure.prediction import Predictor
from accelbench.measure.progress import Progress
from accelbench.measure.setup import Setup
from accelbench.measure.steps import Steps
from accelbench.measure.verifier import Verifier
from accelbench.model.machine import Machine
from accelbench.model.record import TIMINGS
from accelbench.model.watched import is_peak
from accelbench.rpc.messages import WarmUpSettings
from accelbench.rpc.process import Failed
from accelbench.store import load
from accelbench.toolchains.log import telling_line

RESIDENT_RANGE = (0.25, 4.0)  # of the last-level cache, where a sample is made longer
# At least, of a case that was called before, or in another process alone: the first call of a process is not timed.
WARM_CALLS, WARM_CALLS_AGAIN = 1, 2


class Bench:
    """The kernel of an EffectiveConfig on a Machine.

    machine    as the configuration's `name` for it calls it
    results    the machine's results folder, in which the kernel was built
    scratch    the folder of what workers write; where None one in `results`, of this kernel and computer
    setup      what workers start with: a repetition's own
    verbose    whether workers print what they and implementations say
    """

    def __init__(self, config: EffectiveConfig, machine: Machine, name: str, *, results, scratch=None, verbose=False):
        self.config, self.folder, self.machine, self.name = config, config.kernel, machine, name
        self.results, self.verbose, self.setup = Path(results), verbose, Setup(config.protocol.seed)
        # Of this computer: nodes of a cluster share the results.
        shared = self.results / "scratch" / self.folder.name / platform.node()
        self.scratch = Path(scratch or shared).resolve()
        self.verifier = Verifier(
            self.scratch, DEADLINE_FACTOR * config.protocol.timeout_s, memory_bytes=int(free_memory_bytes())
        )
        self.steps, self.predictor, self.progress = Steps(), Predictor(), Progress(self.folder.name)
        self.manifests = load_manifests(self.results, self.folder)
        self._devices = {(*place, d.name): d for place, backend in machine.found.items() for d in backend.devices}
        self.footprint = Footprint(self.folder, machine, self._devices)

    @property
    def repetitions(self):
        """How many the sweep has of this kernel: on their own, peaks are measured once."""
        return 1 if is_peak(self.folder.name) else self.config.protocol.repetitions

    def device(self, case):
        return self._devices[case.where]

    def start(self, case, timeout_s=None) -> CaseRunner:
        """A worker that is open for cases like this one; Failed.

        timeout_s  that of each call; the protocol's where None
        """
        implementation = self.folder.implementations[case.implementation]
        client = Client(
            case.threads,
            self.device(case).kind,
            self.scratch / case.environment / (implementation.variant or ""),  # Numba's cache tells no fastmath apart
            python=implementation.python,
            setup=self.setup,
            verbose=self.verbose,
        )
        timeout_s = timeout_s or self.config.protocol.timeout_s
        return CaseRunner(client, self.recipe(case), self.verifier, timeout_s=timeout_s, step=self.steps.step)

    def recipe(self, case) -> dict[str, Any]:
        """Return the arguments of `open` for a worker for cases like this one."""
        implementation = self.folder.implementations[case.implementation]
        return {
            "file": str(implementation.path),
            "backend": case.backend,
            "module": backends.modules()[case.backend].__name__,
            "device": self.device(case),
            "threads": case.threads,
            "variant": implementation.variant,
            "toolchain": implementation.toolchain,
            "build_folder": str((self.results / "build" / self.folder.name).resolve()),
            "once_folder": str((self.results / "scratch" / ".once" / platform.node() / case.environment).resolve()),
            "artifacts": {artifact.source: artifact for artifact in self.artifacts(implementation, case.device)},
            "unbuilt": sorted(set(implementation.sources) - set(_built(implementation))),
            "memory_bytes": int(free_memory_bytes()),
        }

    def artifacts(self, implementation, device):
        """What was built of an implementation for a device (its name; None: for none in particular)."""
        manifest = self.manifests.get(implementation.toolchain)
        artifacts = manifest.artifacts if manifest else []
        return [a for a in artifacts if a.serves(implementation.name, device)]

    def build_failure(self, implementation, device):
        """The reason a case cannot run because something was not built, or None."""
        if not _built(implementation):
            return None
        artifacts = self.artifacts(implementation, device)
        if not artifacts:
            toolchain = implementation.toolchain
            return f"nothing was built for it with the toolchain {toolchain!r}: run the build stage again"
        failed = next((a for a in artifacts if a.outcome != "ok"), None)
        return failed and f"{failed.source}: {telling_line(failed.log)}"[:400]

    def warm_up_settings(self, case, loops=None, wanted=lambda kind: True) -> WarmUpSettings:
        """How long to warm up a case, or another worker of one whose `loops` are known; how long a sample of each kind
        of time that is `wanted` must last."""
        protocol, share = self.config.protocol, self.footprint.cache_share(case)
        low, high = RESIDENT_RANGE
        host = protocol.sample_cache_s if low <= share <= high else protocol.sample_s
        compute, others = (host, host / 2) if self.device(case).on_host else (protocol.sample_device_s,) * 2
        return WarmUpSettings(
            warm_up_s=protocol.budget_s / (16 if loops else 8),
            calls=WARM_CALLS_AGAIN if loops else WARM_CALLS,
            known=[kind for kind in TIMINGS if kind in (loops or ()) or not wanted(kind)],
            sample_s={"compute": compute, "call": others},
        )

    def given(self, problem, which=0, exact=False):
        """The ProblemInputs of a problem with one of its seeds, or with the kernel's exact inputs; Failed."""
        try:
            with self.steps.step("inputs"):
                return self.verifier.given(self.folder, problem, seed=self.setup.input_seed, which=which, exact=exact)
        except InputError as error:
            raise Failed("error", str(error), alive=True) from None


def read_machine(results, folder):
    """The machine's description; InputError where it is damaged, or says nothing of a backend the kernel has."""
    machine = load.read_machine(results)
    for implementation in folder.implementations.values():
        if (implementation.environment, implementation.backend) not in machine.found:
            there = f" in the environment {implementation.environment!r}" if implementation.environment else ""
            problem = f"says nothing of the backend {implementation.backend!r}{there}"
            raise InputError(results / "machine.json", problem, load.again(results))
    return machine


def load_manifests(results, folder):
    """{toolchain: Manifest} of what has been built of a kernel."""
    home = Path(results) / "build" / folder.name
    return {t: toolchains.load(home / f"{t}.json") for t in toolchains.needed(folder) if (home / f"{t}.json").exists()}


def _built(implementation):
    """The names of what must be built for an implementation; its other SOURCES it reads itself."""
    module = toolchains.modules().get(implementation.toolchain)
    return module.built(implementation) if module else implementation.sources
