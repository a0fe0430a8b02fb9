"""Short names of devices, for labels."""

from collections.abc import Iterable

LONGEST = 14  # Maximum length of a short name, in characters


def short_device(name: str) -> str:
    """Return a short name: "H200" for "NVIDIA H200", "PoCL" for "PoCL znver4-AMD EPYC 9654"."""
    short = "PoCL" if name.startswith("PoCL ") else name.replace("NVIDIA ", "")
    return short if len(short) <= LONGEST else f"{short[: LONGEST - 1]}…"


def short_names(devices: Iterable[str]) -> dict[str, str]:
    """Return {device: its short name}. A number distinguishes devices with the same short name."""
    names = {}
    for device in sorted(devices):
        label = short_device(device)
        same = sum(other.split(" #")[0] == label for other in names.values())
        names[device] = f"{label} #{same + 1}" if same else label
    return names
