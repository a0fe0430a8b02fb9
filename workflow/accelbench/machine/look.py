"""Look for the devices of backends in this process, and print {name: Backend} as JSON.

    python -m accelbench.machine.look BACKEND...

devices.py starts one such process for each module of backends.
"""

import json
import os
import sys
from dataclasses import asdict

from accelbench import backends, discovery
from accelbench.backends.contract import CONTRACT
from accelbench.errors import InputError
from accelbench.model.device import Backend


def look(backend):
    """Return the Backend with the name `backend`, with the devices that this process finds."""
    versions = {package: discovery.installed_version(package) for package in backends.packages(backend)}
    for package, version in versions.items():
        if version is None:
            install = backends.install_command(package)
            return Backend.unavailable(f"package {package} not installed: {install}", remedy=install)
    if problem := backends.problem(backend):
        return Backend.unavailable(problem, versions)
    module = backends.modules()[backend]
    try:
        devices = CONTRACT.ask(module, "probe", module.probe, backend)
    except (backends.Unavailable, InputError) as error:
        return Backend.unavailable(str(error), versions, remedy=error.remedy)
    except Exception as error:
        where = discovery.place(module.__file__, error)
        return Backend.unavailable(f"looking for devices failed: {type(error).__name__}: {error} ({where})", versions)
    unusable = {device.name: device.unusable for device in devices if device.unusable}
    reasons = "; ".join(f"{name}: {reason}" for name, reason in unusable.items())
    remedy = next((device.remedy for device in devices if device.remedy), "")
    if usable := [device for device in devices if not device.unusable]:
        return Backend(True, reasons or None, versions, usable, unusable, remedy)
    return Backend.unavailable(reasons or "no device found", versions, unusable=unusable, remedy=remedy)


def main(*names):
    # Drivers may print to standard output. Send their text to standard error and only the answer to standard output.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    json.dump({name: asdict(look(name)) for name in names}, answer)
    answer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
