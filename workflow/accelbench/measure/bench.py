"""Configuration, devices and builds of one kernel on one machine. The module also builds kernels and starts workers."""

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

# Limits of the ratio of a case's working set to the last-level cache. Between these limits, the duration of a sample on
# the host depends on sample_cache_s instead of sample_s. On other devices, the duration is always sample_device_s.
RESIDENT_RANGE = (0.25, 4.0)
BUILDING_S = 3600.0  # Maximum time to wait for another process that builds with the same toolchain, in seconds
CONNECTIONS = "CUDA_DEVICE_MAX_CONNECTIONS"
# Environment variable that the workflow sets in a local run of the target `all`. If the variable is set, the job of one
# kernel also does the work of other kernels' jobs. The names of the files that the job writes for other kernels end
# with the variable's value.
WHOLE = "ACCELBENCH_WHOLE"
# Minimum number of calls in a warm-up. The first number is for a case whose loops are not chosen yet. The second number
# is for a case whose loops an earlier warm-up chose, and for reference cases. Only the last of these calls is timed.
WARM_CALLS, WARM_CALLS_AGAIN = 1, 2


class Bench:
    """A kernel, with its configuration (an EffectiveConfig), on a Machine.

    name       name of the machine in the configuration
    results    results folder of the machine, which contains the builds of the kernel
    scratch    folder for files that workers write; if None, a folder in `results` for this kernel and this computer
    setup      Setup of the current repetition
    verbose    whether workers print to the terminal
    """

    def __init__(self, config: EffectiveConfig, machine: Machine, name: str, *, results, scratch=None, verbose=False):
        self.config, self.folder, self.machine, self.name = config, config.kernel, machine, name
        self.results, self.verbose, self.setup = Path(results), verbose, Setup(config.protocol.seed)
        # Each computer has its own scratch folder, since the nodes of a cluster share the results folder.
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
        """The minimum and maximum number of repetitions. A kernel that measures a machine's peak has one repetition."""
        return Repetitions(min=1, max=1) if is_peak(self.folder.name) else self.config.protocol.repetitions

    def device(self, case):
        return self._devices[case.where]

    def start(self, case, timeout_s=None) -> CaseRunner:
        """Start a worker for a case. Raise Failed if the worker cannot import the implementation or open the device.

        timeout_s  deadline of a call without a predicted time, in seconds; if None, the protocol's timeout_s
        """
        implementation = self.folder.implementations[case.implementation]
        return CaseRunner(
            case.threads,
            self.device(case).kind,
            # Each variant has its own folder, since the key of Numba's cache ignores the option fastmath.
            self.scratch / case.environment / (implementation.variant or ""),
            recipe=self.recipe(case),
            verifier=self.verifier,
            timeout_s=timeout_s or self.config.protocol.timeout_s,
            step=self.steps.step,
            python=implementation.python,
            variables=self.setup.variables | self._connections(case),
            verbose=self.verbose,
        )

    def _connections(self, case) -> dict[str, str]:
        """Return {CONNECTIONS: value} for a case that certainly uses a single CUDA stream, and {} for any other case.

        The value is the user's value of this environment variable, or 1. With one connection, the CUDA driver creates a
        context in half the time. JAX, and some kernels whose arrays are on the host, use several CUDA streams. So all
        cases with JAX, and all kernels whose arrays are on the host, get {}.
        """
        session = backends.modules()[case.backend].Session
        has_one = getattr(getattr(session, "ON_GPU", session), "ONE_STREAM", False)
        has_one = has_one and self.folder.spec.location == "device" and not self.device(case).on_host
        return {CONNECTIONS: os.environ.get(CONNECTIONS, "1")} if has_one else {}

    def recipe(self, case) -> dict[str, Any]:
        """Return the arguments of Worker.open for the worker of a case."""
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
        """Return the Artifacts that were built for an implementation on the device with the name `device`."""
        manifest = self.manifests.get(implementation.toolchain)
        artifacts = manifest.artifacts if manifest else []
        return [a for a in artifacts if a.serves(implementation.name, device)]

    def build_failure(self, implementation, device):
        """Return a Verdict if the build of an implementation for a device failed or is missing, else None."""
        if not _built(implementation):
            return None
        artifacts = self.artifacts(implementation, device)
        if not artifacts:
            toolchain, again = implementation.toolchain, "run the build stage again"
            return Verdict(
                "build_failed", f"the toolchain {toolchain!r} has built no source of the implementation: {again}", again
            )
        failed = next((a for a in artifacts if a.outcome != "ok"), None)
        line = telling_line(failed.log) if failed else ""
        # `failed.remedy` is set if the user can repair the cause, such as a missing compiler or library.
        return failed and Verdict(
            "unavailable" if failed.remedy else "build_failed",
            f"{failed.source}: {line}"[:400],
            failed.remedy,
            line if failed.remedy else "",
        )

    def warm_up_settings(self, case, loops=None, is_measured=lambda kind: True) -> dict[str, Any]:
        """Return the settings of Clock.warm_up for a case.

        loops        {kind of time: number of calls in a sample} that an earlier warm-up chose; None or {} if unknown
        is_measured  function of a kind of time that returns whether to measure this kind
        """
        protocol, share = self.config.protocol, self.footprint.cache_share(case)
        low, high = RESIDENT_RANGE
        host = protocol.sample_cache_s if low <= share <= high else protocol.sample_s
        compute, others = (host, host / 2) if self.device(case).on_host else (protocol.sample_device_s,) * 2
        return {
            "warm_up_s": protocol.budget_s / (16 if loops else 8),
            "calls": WARM_CALLS_AGAIN if loops else WARM_CALLS,
            "known": [kind for kind in TIMINGS if kind in (loops or ()) or not is_measured(kind)],
            "sample_s": {"compute": compute, "call": others},
        }

    def given(self, problem, which=0, exact=False):
        """Return the ProblemInputs of a problem. Raise Failed if the verifier cannot make them.

        which  index of the seed among the problem's seeds, from 0
        exact  whether to use the kernel's exact inputs
        """
        try:
            with self.steps.step("inputs"):
                return self.verifier.given(self.folder, problem, seed=self.setup.input_seed, which=which, exact=exact)
        except InputError as error:
            raise Failed("error", str(error), alive=True, remedy=error.remedy) from None


def read_machine(results, folder):
    """Return the Machine of a results folder.

    Raise InputError if machine.json is missing or damaged, or lacks a backend of the KernelFolder `folder`.
    """
    machine = load.read_machine(results)
    for implementation in folder.implementations.values():
        if (implementation.environment, implementation.backend) not in machine.probes:
            there = f" in the environment {implementation.environment!r}" if implementation.environment else ""
            problem = f"has no entry for the backend {implementation.backend!r}{there}"
            raise InputError(results / "machine.json", problem, load.again(results))
    return machine


def build(results, toolchain, folder, *, config, machine, others=()):
    """Build a KernelFolder's sources with a toolchain, and write the manifest. Return all Manifests written.

    config   a config.Build
    machine  the Machine; if it has no GPU, CUDA sources, and OpenCL sources that measure peaks, are not built
    others   KernelFolders that later jobs of the same run build. If one of these kernels has no manifest, this function
             builds it, too. The manifest's name then ends with the value of the variable WHOLE, until the later job
             renames the manifest
    """
    home, ending = Path(results, "build"), os.environ.get(WHOLE, "")

    def manifest_of(kernel):
        return home / kernel.name / f"{toolchain}.json"

    with files.locked(home / f".{toolchain}.lock", lambda holder: f"{holder} is building", BUILDING_S):
        ready = Path(f"{manifest_of(folder)}{ending}")
        if ending and ready.exists():
            ready.rename(manifest_of(folder))
            return []
        waiting = [other for other in others if not any(manifest_of(other).parent.glob(f"{toolchain}.json*"))]
        folders = {manifest_of(kernel).parent: kernel for kernel in (folder, *waiting)}
        used = {path: kernel for path, kernel in folders.items() if _is_run(kernel, toolchain, machine)}
        devices = backends.devices(toolchain, machine.backends)
        built = toolchains.build_each(used, toolchain, config=config, devices=devices) if used else []
        made = {m.kernel: interpreter.without_places(m, kernel) for m, kernel in zip(built, used.values(), strict=True)}
        manifests = [made.get(kernel.name, Manifest(kernel.name, toolchain, [])) for kernel in folders.values()]
        for old in manifest_of(folder).parent.glob(f"{toolchain}.json.*"):
            old.unlink()
        for path, manifest in zip(folders, manifests, strict=True):
            formats.write(path / f"{toolchain}.json{'' if folders[path] is folder else ending}", manifest)
    return manifests


def waiting(config, results, *, kernel, number):
    """Yield the EffectiveConfig of each kernel except `kernel`, if repetition `number` can be measured now.

    In a local run of the target `all`, the job of `kernel` also measures these kernels. In other runs, and if `kernel`
    measures a peak, yield nothing.
    """
    for other in select.effective_configs(config) if WHOLE in os.environ and not is_peak(kernel) else ():
        name, done = other.kernel.name, Path(results, "repetitions", other.kernel.name)
        needed = [
            Path(results, "build", name, f"{t}.json") for t in toolchains.needed(other.kernel, other.implementations)
        ]
        needed += [done / f"{number - 1}.json"] if number > 1 else []
        if name != kernel and not (done / f"{number}.json").exists() and all(map(Path.exists, needed)):
            yield other


def _is_run(folder, toolchain, machine):
    """Return whether a Machine can run a kernel's code that a toolchain builds.

    OpenCL code that measures a peak (a maximum rate of the machine) runs only on a GPU.
    """
    needs_gpu = toolchain == "cuda" or (toolchain == "opencl" and is_peak(folder.name))
    return machine.has_gpu or not needs_gpu


def _built(implementation):
    """Return the names of an implementation's SOURCES that a toolchain must build."""
    module = toolchains.modules().get(implementation.toolchain)
    return module.built(implementation) if module else implementation.sources
