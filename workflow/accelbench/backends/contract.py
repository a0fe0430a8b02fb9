"""Whether a module is a backend as this package's docstring asks for it, said before anything is measured with it."""

import json
import re
from pathlib import Path

from accelbench import toolchains
from accelbench.errors import InputError
from accelbench.model.device import Device, DeviceLimits
from accelbench.model.names import NAME

EXPLAINED = "the docstring of accelbench/backends/__init__.py says what a backend holds"
METHODS = (
    *("load", "empty", "poison", "release", "copy_in", "copy_out", "intact"),
    *("synchronise", "wait", "timers", "flush_cache", "settings", "variables", "close"),
)
CONSTANTS = ("ON_HOST", "OUT_OF_MEMORY", "PINNED")


class BrokenBackend:
    """Stand-in for a backend module that cannot be used, for the reason `problem`."""

    __file__ = __file__

    def __init__(self, name, text, problem):
        declared = re.search(r"^BACKENDS\s*=\s*\{(.*?)\}", text, re.MULTILINE | re.DOTALL)
        names = re.findall(r"""["'](\w+)["']\s*:""", declared[1]) if declared else []
        self.BACKENDS = dict.fromkeys(names or [name])
        self.PACKAGES = dict.fromkeys(self.BACKENDS, ())
        self.problem = problem


def check(module, file):
    """Whether a module is a backend at all; InputError, naming `file`, where it is one that cannot be used."""

    def wrong(what, remedy):
        raise InputError(file, what, f"{remedy}; {EXPLAINED}")

    served, packages, session = (getattr(module, name, None) for name in ("BACKENDS", "PACKAGES", "Session"))
    if served is None and packages is None and not hasattr(module, "probe"):
        return False
    example = f'BACKENDS = {{"{Path(file).stem}": None}}'
    if served is None:
        wrong("BACKENDS is missing", f"Write {example}")
    if not isinstance(served, dict) or not served or not all(isinstance(n, str) and NAME.match(n) for n in served):
        wrong(f"BACKENDS = {served!r}", f"Write the names of backends and what builds for them, {example}")
    for backend, toolchain in served.items():
        if toolchain not in (None, *toolchains.modules()):
            known = ", ".join(toolchains.modules())
            wrong(f"BACKENDS: there is no toolchain {toolchain!r}", f"{backend!r} can have one of {known}, or None")
        names = packages.get(backend) if isinstance(packages, dict) else None
        if not isinstance(names, (tuple, list)) or not all(isinstance(n, str) and n for n in names):
            example = f'PACKAGES = {{"{backend}": ("{backend}",)}}'
            wrong(f"PACKAGES = {packages!r}", f"Write a tuple of strings for each backend, {example}")
    if not callable(getattr(module, "probe", None)):
        wrong("the function probe is missing", "Write probe(backend), which returns a list of Device")
    once = getattr(module, "once", None)
    if once is not None and not callable(once):
        wrong(f"once = {once!r:.80}", "Write once(device, folder), or leave it out")
    if not isinstance(session, type):
        wrong("the class Session is missing", "Write class Session(OpenDevice), or take host.Session")
    pinned = ("pinned",) if getattr(session, "PINNED", False) else ()
    if missing := [name for name in (*METHODS, *CONSTANTS, *pinned) if not hasattr(session, name)]:
        wrong(f"Session lacks {', '.join(missing)}", "Add them, or derive it from host.Session or OpenDevice")
    return True


def check_devices(file, devices):
    """InputError, naming `file`, where what probe returned is no list of devices that can be written down."""

    def wrong(what):
        remedy = f"probe returns a list of Device, or raises Unavailable(reason); {EXPLAINED}"
        raise InputError(file, f"probe returned {what}", remedy)

    if not isinstance(devices, (list, tuple)) or not all(isinstance(device, Device) for device in devices):
        wrong(f"{devices!r:.80}")
    for device in devices:
        if not isinstance(device.name, str) or not device.name.strip() or not device.name.isprintable():
            wrong(f"a device named {device.name!r:.80}")
        if device.kind not in ("cpu", "gpu"):
            wrong(f"a device of kind {device.kind!r:.80}, neither 'cpu' nor 'gpu'")
        limits = device.device_limits
        if not isinstance(limits, DeviceLimits):
            wrong(f"a device with device_limits = {limits!r:.80}, no DeviceLimits")
        for field, value in vars(limits).items():
            if value is not None and not _is_limit(field, value):
                wrong(f"a device with device_limits.{field} = {value!r:.80}")
        for field in ("index", "versions", "unsupported_dtypes"):
            value = getattr(device, field)
            try:
                json.dumps(value)
            except (TypeError, ValueError) as error:
                wrong(f"a device with {field} = {value!r:.80}, which no file can hold ({error})")
            if not isinstance(value, dict):
                wrong(f"a device with {field} = {value!r:.80}, no dictionary")


def _is_limit(field, value):
    if field == "compute_capability":
        return isinstance(value, str)
    numbers = value if field == "max_block_shape" else [value]
    return isinstance(numbers, (list, tuple)) and all(type(number) is int and number >= 0 for number in numbers)
