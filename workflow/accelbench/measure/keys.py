"""Keys of journal entries. The key of a case changes if anything changes that can affect the case's results."""

import itertools
import platform
from functools import cache

from accelbench import backends, toolchains
from accelbench.discovery import code_digest, imported_versions, installed_version
from accelbench.kernels.reading import unnamed
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.parameters import plain
from accelbench.processes.supervision import inherited_settings
from accelbench.store import files

# Settings of the protocol that are not part of a key, since they do not affect a sample
OUTSIDE_KEY = ("repetitions", "max_call_s", "timeout_s", "memory_fraction")


class Keys:
    """Keys of cases. A key is a digest of everything that can affect a case's measurement:

    - kernel.py, the files that its functions may read, and the modules that it imports
    - the implementation, its native sources with the headers they include, and the modules that these files import
    - flags, compiler version, and the modules of the backend and the toolchain
    - files, flags, versions and modules of the baselines, since speedups refer to the baselines
    - parameters, protocol, machine, environment variables and library versions
    - Python version, NumPy version and lock of the case's environment, if the case does not use accelbench's Python
    """

    def __init__(self, config, machine):
        folder = config.kernel
        self._machine = machine
        self._build, self._implementations = config.build, folder.implementations
        self._of = cache(self._digest)
        protocol = {k: v for k, v in config.protocol.model_dump(mode="json").items() if k not in OUTSIDE_KEY}
        files_of_kernel = [(str(path.relative_to(folder.path)), unnamed(path)) for path in folder.data_files()]
        self._common = files.digest(
            PROTOCOL_VERSION,
            protocol,
            machine.identity,
            platform.python_version(),
            installed_version("numpy"),
            inherited_settings(),
            *itertools.chain(*files_of_kernel),
            imported_versions(folder.file),
            *map(self._of, sorted(folder.spec.all_baselines)),
        )

    def _digest(self, name):
        """Return the digest of the implementation `name`: its source, flags, builds, modules and library versions."""
        i = self._implementations[name]
        toolchain = toolchains.modules().get(i.toolchain)
        return files.digest(
            i.problem or unnamed(i.path),
            {} if i.problem or i.environment else imported_versions(i.path),
            code_digest(backends.modules()[i.backend].__file__),
            code_digest(toolchain.__file__) if toolchain else "",
            list(i.flags),
            [
                toolchains.recipe(i, source, self._build, compiled_by=toolchains.compiler_version(i, self._build))
                for source in ([i.path.name, *i.sources] if i.path.suffix == ".pyx" else i.sources)
            ],
            installed(self._machine, i, backends.packages(i.backend)),
        )

    def __call__(self, case):
        backend = self._machine.probes[case.environment, case.backend]
        versions = {device.name: device.versions for device in backend.devices}
        more = [] if case.tuned is None else [plain(case.tuned)]
        more += [recorded(self._machine, case.environment)] if case.environment else []
        return files.digest(self._common, self._of(case.implementation), versions.get(case.device, {}), case.id, *more)


def installed(machine, of, packages):
    """Return {package: installed version, or None}.

    of  a case or an implementation. If `of.environment` is empty, return the versions in accelbench's Python
    """
    if not of.environment:
        return {package: installed_version(package) for package in packages}
    there = machine.environments[of.environment]
    versions = {"numpy": there.numpy, **there.backends[of.backend].versions}
    return {package: versions.get(package) for package in packages}


def recorded(machine, name):
    """Return the fields of the environment `name` for a Record; {} for accelbench's Python, whose name is empty."""
    if not name:
        return {}
    there = machine.environments[name]
    return {"name": name, "python": there.python, "numpy": there.numpy, "lock": there.lock, "digest": there.digest}
