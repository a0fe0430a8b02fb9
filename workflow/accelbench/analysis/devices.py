"""Names of devices that are short enough for labels."""

from collections.abc import Iterable

LONGEST = 14  # letters


def short_device(name: str) -> str:
    """ "NVIDIA H200" -> "H200", "PoCL znver4-AMD EPYC 9654" -> "PoCL"."""
    short = "PoCL" if name.startswith("PoCL ") else name.replace("NVIDIA ", "")
    return short if len(short) <= LONGEST else f"{short[: LONGEST - 1]}…"


def short_names(devices: Iterable[str]) -> dict[str, str]:
    """{device: its short name}, told apart by numbers where that made them equal."""
    names = {}
    for device in sorted(devices):
        label = short_device(device)
        same = sum(other.split(" #")[0] == label for other in names.values())
        names[device] = f"{label} #{same + 1}" if same else label
    return names
