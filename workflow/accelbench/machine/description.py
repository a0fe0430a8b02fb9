"""Everything about this machine that a reader of its results should know."""

import platform

from accelbench import nvidia
from accelbench.machine import devices, memory, processor, software, system_state
from accelbench.model.machine import Machine


def describe(name, config, backends=None):
    """This machine.

    name      what the configuration calls it
    config    the Config whose `build` section names the compilers, and its `environments` the Pythons of backends
    backends  those whose devices are looked for, all where None
    """
    found, environments = devices.probe_everywhere(config.places, backends)
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
        backends=found,
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
