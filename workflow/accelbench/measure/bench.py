"""A kernel on a machine: its configuration, devices and builds, and workers for its cases."""

import os
import platform
from pathlib import Path
from typing import Any

from accelbench import backends, toolchains
from accelbench.config import Repetitions, select
from accelbench.config.select import EffectiveConfig
from accelbench.environments import interpreter
from accelbench.errors import InputError
from accelbench.machine.memory import free_memory_bytes
from accelbench.measure.case_runner import DEADLINE_FACTOR, CaseRunner
from accelbench.measure.footprint import Footprint
from accelbench.measure.plan import Verdict
from accelbench.measure.prediction import Predictor
from accelbench.measure.progress import Progress
from accelbench.measure.setup import Setup
from accelbench.measure.steps import Steps
from accelbench.model.artifact import Manifest
from accelbench.model.machine import Machine
from accelbench.model.record import TIMINGS
from accelbench.model.watched import is_peak
from accelbench.rpc.process import Failed
from accelbench.store import files, formats, load
from accelbench.toolchains.log import telling_line
from accelbench.verify.process import Verifier

RESIDENT_RANGE = (0.25, 4.0)  # Working sets, over the last-level cache, with longer samples
BUILDING_S = 3600.0  # Time to wait for another process that builds with the same toolchain, in seconds
CONNECTIONS = "CUDA_DEVICE_MAX_CONNECTIONS"
# Environment variable in a run of everything on this computer. Its value ends the names of manifests built in advance
WHOLE = "ACCELBENCH_WHOLE"
# Minimum calls of a warm-up, of a new case and of one that was called in another process. The first call is not timed.
WARM_CALLS, WARM_CALLS_AGAIN = 1, 2


class Bench:
    """The kernel of an EffectiveConfig on a Machine.

    name       name of the machine in the configuration
    results    the machine's results folder, in which the kernel was built
    scratch    folder of files that workers write; by default one in `results`, of this kernel and computer
    setup      Setup of the repetition
    verbose    whether workers print to the terminal
    """

    def __init__(self, config: EffectiveConfig, machine: Machine, name: str, *, results, scratch=None, verbose=False):
        self.config, self.folder, self.machine, self.name = config, config.kernel, machine, name
        self.results, self.verbose, self.setup = Path(results), verbose, Setup(config.protocol.seed)
        # One folder for each computer, since nodes of a cluster share the results.
        shared = self.results / "scratch" / self.folder.name / platform.node()
        self.scratch = Path(scratch or shared).resolve()
        deadline_s = DEADLINE_FACTOR * config.protocol.timeout_s
        self.verifier = Verifier(deadline_s, int(free_memory_bytes()), self.scratch)
        self.steps, self.predictor, self.progress = Steps(), Predictor(), Progress(self.folder.name)
        built = {
            name: self.results / "build" / self.folder.name / f"{name}.json" for name in toolchains.needed(self.folder)
        }
        self.manifests = {name: toolchains.load(path) for name, path in built.items() if path.exists()}
        self._devices = {(*place, d.name): d for place, backend in machine.probes.items() for d in backend.devices}
        self.footprint = Footprint(self.folder, machine, self._devices)

    @property
    def repetitions(self):
        """Repetitions of this kernel; peaks have one."""
        return Repetitions(min=1, max=1) if is_peak(self.folder.name) else self.config.protocol.repetitions

    def device(self, case):
        return self._devices[case.where]

    def start(self, case, timeout_s=None) -> CaseRunner:
        """Start a worker for cases like this one; raise Failed if it cannot open the device.

        timeout_s  deadline of each call; the protocol's if None
        """
        implementation = self.folder.implementations[case.implementation]
        return CaseRunner(
            case.threads,
            self.device(case).kind,
            self.scratch / case.environment / (implementation.variant or ""),  # Numba's cache ignores fastmath
            recipe=self.recipe(case),
            verifier=self.verifier,
            timeout_s=timeout_s or self.config.protocol.timeout_s,
            step=self.steps.step,
            python=implementation.python,
            variables=self.setup.variables | self._connections(case),
            verbose=self.verbose,
        )

    def _connections(self, case) -> dict[str, str]:
        """Return the variable that has the driver make one connection to a GPU, for an implementation with one stream.

        The driver then makes a context in half the time. Kernels that are located on the host use several streams, and
        so does JAX.
        """
        session = backends.modules()[case.backend].Session
        has_one = getattr(getattr(session, "ON_GPU", session), "ONE_STREAM", False)
        has_one = has_one and self.folder.spec.location == "device" and not self.device(case).on_host
        return {CONNECTIONS: os.environ.get(CONNECTIONS, "1")} if has_one else {}

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
        """Return the Artifacts of an implementation for the device of that name (None: for any device)."""
        manifest = self.manifests.get(implementation.toolchain)
        artifacts = manifest.artifacts if manifest else []
        return [a for a in artifacts if a.serves(implementation.name, device)]

    def build_failure(self, implementation, device):
        """Return the Verdict on a build that failed or is missing, or None."""
        if not _built(implementation):
            return None
        artifacts = self.artifacts(implementation, device)
        if not artifacts:
            toolchain, again = implementation.toolchain, "run the build stage again"
            return Verdict("build_failed", f"nothing was built for it with the toolchain {toolchain!r}: {again}", again)
        failed = next((a for a in artifacts if a.outcome != "ok"), None)
        line = telling_line(failed.log) if failed else ""
        # A failure that has a remedy is for want of a compiler, a library or a header.
        return failed and Verdict(
            "unavailable" if failed.remedy else "build_failed",
            f"{failed.source}: {line}"[:400],
            failed.remedy,
            line if failed.remedy else "",
        )

    def warm_up_settings(self, case, loops=None, wanted=lambda kind: True) -> dict[str, Any]:
        """Return the settings of Clock.warm_up for a case.

        loops   loops that are known from another process, if any
        wanted  wanted(kind) tells which kinds of time are measured
        """
        protocol, share = self.config.protocol, self.footprint.cache_share(case)
        low, high = RESIDENT_RANGE
        host = protocol.sample_cache_s if low <= share <= high else protocol.sample_s
        compute, others = (host, host / 2) if self.device(case).on_host else (protocol.sample_device_s,) * 2
        return {
            "warm_up_s": protocol.budget_s / (16 if loops else 8),
            "calls": WARM_CALLS_AGAIN if loops else WARM_CALLS,
            "known": [kind for kind in TIMINGS if kind in (loops or ()) or not wanted(kind)],
            "sample_s": {"compute": compute, "call": others},
        }

    def given(self, problem, which=0, exact=False):
        """Return the ProblemInputs of a problem for one of its seeds, or of its exact inputs; Failed."""
        try:
            with self.steps.step("inputs"):
                return self.verifier.given(self.folder, problem, seed=self.setup.input_seed, which=which, exact=exact)
        except InputError as error:
            raise Failed("error", str(error), alive=True, remedy=error.remedy) from None


def read_machine(results, folder):
    """Return the Machine; InputError if its file is damaged, or lacks a backend of the kernel."""
    machine = load.read_machine(results)
    for implementation in folder.implementations.values():
        if (implementation.environment, implementation.backend) not in machine.probes:
            there = f" in the environment {implementation.environment!r}" if implementation.environment else ""
            problem = f"says nothing of the backend {implementation.backend!r}{there}"
            raise InputError(results / "machine.json", problem, load.again(results))
    return machine


def build(results, toolchain, folder, *, config, machine, others=()):
    """Build what a toolchain makes for a KernelFolder, and write its manifest. Return all Manifests that were made.

    config  a config.Build. CUDA sources are not built for a Machine without a GPU, which cannot run them
    others  KernelFolders that jobs of the same run build later. Those without a manifest are built as well. Their jobs
            find the manifests under names that end as the variable WHOLE says
    """
    home, ending = Path(results, "build"), os.environ.get(WHOLE, "")

    def manifest_of(each):
        return home / each.name / f"{toolchain}.json"

    with files.locked(home / f".{toolchain}.lock", lambda holder: f"{holder} is building", BUILDING_S):
        ready = Path(f"{manifest_of(folder)}{ending}")
        if ending and ready.exists():
            ready.rename(manifest_of(folder))
            return []
        waiting = [each for each in others if not any(manifest_of(each).parent.glob(f"{toolchain}.json*"))]
        folders = {manifest_of(each).parent: each for each in (folder, *waiting)}
        used = {path: each for path, each in folders.items() if _is_run(each, toolchain, machine)}
        devices = backends.devices(toolchain, machine.backends)
        built = toolchains.build_each(used, toolchain, config=config, devices=devices) if used else []
        made = {m.kernel: interpreter.without_places(m, each) for m, each in zip(built, used.values(), strict=True)}
        manifests = [made.get(each.name, Manifest(each.name, toolchain, [])) for each in folders.values()]
        for old in manifest_of(folder).parent.glob(f"{toolchain}.json.*"):
            old.unlink()
        for path, manifest in zip(folders, manifests, strict=True):
            formats.write(path / f"{toolchain}.json{'' if folders[path] is folder else ending}", manifest)
    return manifests


def waiting(config, results, *, kernel, number):
    """Yield the EffectiveConfigs of the other kernels whose repetition of that number can be measured now.

    Jobs of the same run measure them later. In a run of everything on this computer the job of `kernel` does.
    """
    for own in select.each(config) if WHOLE in os.environ and not is_peak(kernel) else ():
        name, done = own.kernel.name, Path(results, "repetitions", own.kernel.name)
        needed = [Path(results, "build", name, f"{t}.json") for t in toolchains.needed(own.kernel, own.implementations)]
        needed += [done / f"{number - 1}.json"] if number > 1 else []
        if name != kernel and not (done / f"{number}.json").exists() and all(map(Path.exists, needed)):
            yield own


def _is_run(folder, toolchain, machine):
    """Return whether anything that a toolchain makes for a KernelFolder is run. Peaks of OpenCL are those of GPUs."""
    needs_gpu = toolchain == "cuda" or (toolchain == "opencl" and is_peak(folder.name))
    return machine.has_gpu or not needs_gpu


def _built(implementation):
    """Return the names of the SOURCES that must be built; the implementation reads the others itself."""
    module = toolchains.modules().get(implementation.toolchain)
    return module.built(implementation) if module else implementation.sources
