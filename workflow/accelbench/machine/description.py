"""The description of this machine, which is stored with its results."""

import platform

from accelbench import nvidia
from accelbench.machine import devices, memory, processor, software, system_state
from accelbench.model.machine import Machine


def describe(name, config, backends=None):
    """Return the Machine that describes this computer.

    name      name of the machine in the configuration
    config    the Config, with the compilers in `build` and the Pythons of backends in `environments`
    backends  names of the backends to search devices for; None for all backends
    """
    probed, environments = devices.probe_everywhere(config.places, backends)
    return Machine(
        name=name,
        identity=processor.identity(),
        cpu=processor.describe(),
        memory_bytes=memory.memory_bytes(),
        virtualised=processor.virtualised(),
        os=_operating_system(),
        kernel=platform.release(),
        hostname=platform.node(),
        python=platform.python_version(),
        compilers=software.compilers(config.build.cc[0], config.build.cxx[0]),
        distributions=software.distributions(),
        backends=probed,
        environments=environments,
        gpus=nvidia.describe(),
        driver=nvidia.driver(),
        system_state=system_state.snapshot(),
    )


def _operating_system():
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()
