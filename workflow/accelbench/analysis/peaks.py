"""How fast the machine can be, and the least time a case could take on it."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from accelbench.model.watched import BANDWIDTHS, PREFIX, is_peak

RATE = "matmul"
TRANSFERS = {"upload": "bytes_read", "download": "bytes_written"}
LEAST_TRANSFER = 1e7  # bytes: smaller ones show what a transfer costs, not what the bus carries


@dataclass(frozen=True)
class Peak:
    """The best rate, in bytes or operations per second, that was seen, and the case that reached it."""

    device: str
    threads: int | None
    dtype: str
    name: str
    rate: float
    case: Any


class Floor(NamedTuple):
    """The least seconds that a case could take for moving its bytes and for its operations; 0 where no peak says.

    own_rate     whether its own implementation set the rate that its operations are held against: nothing judges itself
    from_memory  of moving, were nothing in a cache
    at_any_mix   of moving at the best bandwidth of any mix of reads and writes
    """

    moving: float = 0.0
    computing: float = 0.0
    own_rate: bool = False
    from_memory: float = 0.0
    at_any_mix: float = 0.0


class PeakRates:
    """What the peaks of one instance of a machine allow a case.

    A peak is the best rate that any implementation reached at the largest size that several were measured at, or the
    baseline beyond it. One that uses fewer threads is a candidate for more threads too, since the others can be left
    idle. How fast the host's cores compute is told by NumPy's product: by nothing where it has no time with so many
    threads.
    """

    def __init__(self, peaks, host_devices):
        self._host_devices = host_devices
        self._rates = defaultdict(lambda: defaultdict(dict))
        self._setters = {}  # {(place, dtype): who reached the rate of computing}
        peaks = list(peaks)
        products = {(p.threads, p.dtype) for p in peaks if (p.device, p.name) == ("cpu", RATE)}
        for peak in peaks:
            place = self._place(peak.device, peak.threads)
            if peak.name == RATE and place[0] == "cpu" and (peak.threads, peak.dtype) not in products:
                continue
            known = self._rates[place][peak.name]
            if peak.rate > known.get(peak.dtype, 0):
                known[peak.dtype] = peak.rate
                if peak.name == RATE:
                    self._setters[place, peak.dtype] = _program(peak.case.record)

    def floor(self, record) -> Floor:
        """The Floor of a case on its device and threads: of moving at the bandwidth of its mix of reads and writes, of
        computing at the rate of a matrix product. Of data that fit the cache the bandwidth of memory says nothing.

        Every device made of the host's cores is held to the best any of them reached.
        """
        place = self._place(record.device, record.threads)
        rates = self._rates.get(place, {})
        from_memory = computing = 0.0
        moved = (record.bytes_read or 0) + (record.bytes_written or 0)
        best = max((rate for name in BANDWIDTHS for rate in rates.get(name, {}).values()), default=0)
        if moved:
            from_memory = _seconds_to_move(
                record.bytes_read or 0, record.bytes_written or 0, dtype=record.dtype, rates=rates
            )
        if record.flops and record.dtype in rates.get(RATE, {}):
            computing = record.flops / rates[RATE][record.dtype]
        moving = 0.0 if record.cache_resident else from_memory
        own_rate = self._setters.get((place, record.dtype)) == _program(record)
        return Floor(moving, computing, own_rate, from_memory, moved / best if best else 0.0)

    def _place(self, device, threads):
        return "cpu" if device in self._host_devices else device, threads


def _program(record):
    """What runs: an implementation of the kernel `matmul` is that of `peak_matmul` which has its name."""
    return record.kernel.removeprefix(PREFIX), record.implementation, record.backend


def _seconds_to_move(read, written, *, dtype, rates):
    """Seconds per byte, interpolated between the mixes measured (reads and writes each cost their own).

    With a larger share of writes than any of them (writing alone is measured for kernels that read nothing) the fastest
    one is what can be said. Bytes are bytes: a dtype whose bandwidth was not measured takes the best of the others. 0
    without any bandwidth.
    """
    per_byte = {
        share: 1 / rates[name].get(dtype, max(rates[name].values()))
        for name, share in BANDWIDTHS.items()
        if rates.get(name)
    }
    if not per_byte:
        return 0
    shares = sorted(per_byte)
    share = read / (read + written)
    if shares[0] <= share <= shares[-1]:
        return (read + written) * float(np.interp(share, shares, [per_byte[s] for s in shares]))
    return (read + written) * min(per_byte.values())


def peaks(cases):
    """The Peaks of a machine: the best of the candidates at the largest amount, per device, threads, dtype and name.

    Amounts at which the baseline stands alone (the host runs nothing else at the sizes meant for GPUs) say less than
    what all reached at a smaller one, unless the baseline was faster still.
    """
    candidates = defaultdict(list)
    for case in cases:
        for name, amount, seconds in _rates_of(case):
            r = case.record
            candidates[r.device, r.dtype, name].append((r.threads, amount, amount / seconds, case))
    for (device, dtype, name), found in candidates.items():
        for threads in {threads for threads, *_ in found}:
            usable = [f for f in found if f[0] == threads or (None not in (f[0], threads) and f[0] < threads)]
            rivals = [amount for _, amount, _, case in usable if not case.is_baseline]
            largest = max(rivals or [amount for _, amount, _, _ in usable])
            _, _, rate, case = max((f for f in usable if f[1] >= largest), key=lambda f: f[2])
            yield Peak(device, threads, dtype, name, rate, case)


def _rates_of(case):
    """(name, bytes or operations, seconds) of everything a case says about limits."""
    r = case.record
    seconds = case.seconds("compute")
    name = r.kernel.removeprefix(PREFIX) if is_peak(r.kernel) else None
    if seconds and name in BANDWIDTHS and (r.bytes_read or r.bytes_written):
        yield name, (r.bytes_read or 0) + (r.bytes_written or 0), seconds
    if seconds and name == RATE and r.flops:
        yield name, r.flops, seconds
    # On the host's own clock (no `call`) an upload is a conversion of the inputs and crosses no bus.
    if case.ok and "call" in r.timings:
        for kind, amount in TRANSFERS.items():
            for name in (kind, f"{kind}_pinned"):
                if (getattr(r, amount) or 0) >= LEAST_TRANSFER and case.seconds(name):
                    yield name, getattr(r, amount), case.seconds(name)
