"""Peak rates that the machine reached, and the least time of a case at these rates."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from accelbench.model.watched import BANDWIDTHS, PREFIX, is_peak

RATE = "matmul"
TRANSFERS = {"upload": "bytes_read", "download": "bytes_written"}
LEAST_TRANSFER = 1e7  # Minimum size, in bytes, of a transfer from which the bus's bandwidth is computed


@dataclass(frozen=True)
class Peak:
    """Best measured rate, in bytes or operations per second, with the case that reached this rate."""

    device: str
    threads: int | None
    dtype: str
    name: str
    rate: float
    case: Any


class Floor(NamedTuple):
    """Least seconds of a case at the machine's peak rates. A time is 0 if the rate for it is unknown.

    moving       seconds for moving the case's bytes; 0 if they fit a cache
    computing    seconds for the case's operations
    own_rate     whether the case's implementation itself reached the peak rate of operations. The case's fraction of
                 this rate then says nothing
    from_memory  seconds for moving the case's bytes from memory, even if they fit a cache
    at_any_mix   seconds for moving the case's bytes at the best bandwidth of any mix of reads and writes
    """

    moving: float = 0.0
    computing: float = 0.0
    own_rate: bool = False
    from_memory: float = 0.0
    at_any_mix: float = 0.0


class PeakRates:
    """Peak rates of one instance of a machine, and the Floor of each case at these rates.

    Rates of operations of the host's cores are used only for numbers of threads and dtypes with which the device "cpu"
    ran a matrix product.
    """

    def __init__(self, peaks, host_devices):
        self._host_devices = host_devices
        self._rates = defaultdict(lambda: defaultdict(dict))
        self._setters = {}  # {(place, dtype): program that reached the rate of operations}
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
        """Return the Floor of a record, from the peak rates of its device and number of threads.

        Bytes move at the bandwidth of the record's mix of reads and writes. Operations run at the rate of a matrix
        product. All devices that run on the host's cores share the best rates of any of these devices.
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
    """Return the key of a record's program. The kernels `matmul` and `peak_matmul` have the same programs and keys."""
    return record.kernel.removeprefix(PREFIX), record.implementation, record.backend


def _seconds_to_move(read, written, *, dtype, rates):
    """Return the seconds for `read` and `written` bytes, interpolated between the measured mixes of reads and writes.

    For a mix outside the range of the measured mixes, use the best bandwidth of all mixes. For a dtype without a
    measured bandwidth, use the best bandwidth of the other dtypes. Return 0 if no bandwidth is known.
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
    """Yield the Peaks of a machine: the best rate of each device, number of threads, dtype and name.

    A case counts only if its bytes or operations are at least those of the largest case that is not a baseline.
    Baselines do not set this limit: on the host, only baselines run at the sizes meant for GPUs.

    The Peak of a number of threads may come from a case with fewer threads, since some threads may idle.
    """
    candidates = defaultdict(list)
    for case in cases:
        for name, amount, seconds in _rates_of(case):
            r = case.record
            candidates[r.device, r.dtype, name].append((r.threads, amount, amount / seconds, case))
    for (device, dtype, name), group in candidates.items():
        for threads in {threads for threads, *_ in group}:
            usable = [f for f in group if f[0] == threads or (None not in (f[0], threads) and f[0] < threads)]
            rivals = [amount for _, amount, _, case in usable if not case.is_baseline]
            largest = max(rivals or [amount for _, amount, _, _ in usable])
            _, _, rate, case = max((f for f in usable if f[1] >= largest), key=lambda f: f[2])
            yield Peak(device, threads, dtype, name, rate, case)


def _rates_of(case):
    """Yield (name of the rate, number of bytes or operations, seconds) for each rate that a case measures."""
    r = case.record
    seconds = case.seconds("compute")
    name = r.kernel.removeprefix(PREFIX) if is_peak(r.kernel) else None
    if seconds and name in BANDWIDTHS and (r.bytes_read or r.bytes_written):
        yield name, (r.bytes_read or 0) + (r.bytes_written or 0), seconds
    if seconds and name == RATE and r.flops:
        yield name, r.flops, seconds
    # In a case without `call`, an upload converts the inputs on the host and does not use the bus.
    if case.ok and "call" in r.timings:
        for kind, amount in TRANSFERS.items():
            for name in (kind, f"{kind}_pinned"):
                if (getattr(r, amount) or 0) >= LEAST_TRANSFER and case.seconds(name):
                    yield name, getattr(r, amount), case.seconds(name)
