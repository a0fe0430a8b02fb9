"""What must hold of PyTorch's and Triton's Sessions on a real NVIDIA GPU, in a process of its own:

    torch_on_gpu.py BACKEND OUT

The checks are those of backends/on_gpu.py that ask for nothing else than elementwise kernels.
"""

import json
import sys
import traceback
from pathlib import Path

import pytest

from accelbench import backends

sys.path.insert(0, str(Path(__file__).parents[1] / "backends"))

import on_gpu

CHECKS = [
    *("description", "copies_there_and_back", "results_are_right", "pinned_memory", "times_agree"),
    *("compute_is_apart_from_launching", "compute_of_a_long_kernel_is_its_throughput", "a_call_that_waits_is_marked"),
    *("memory_given_back_within_a_call", "more_launches_than_a_stream_holds", "release_gives_memory_back"),
    *("work_on_the_default_stream_is_timed_too", "energy_is_counted", "out_of_memory_is_recognised_and_survived"),
    "the_session_is_not_lost",
]
OF_KERNELS = [
    "guard_zones_catch_one_element_too_many",
    "cold_is_slower_than_hot",
]  # which PyTorch does not let one write


class Torch:
    """Launches PyTorch's product of a number and a tensor."""

    def __init__(self, session):
        import torch

        self.torch = torch
        self.take = lambda nbytes: torch.empty(nbytes, dtype=torch.uint8, device="cuda")

    def kernel(self, name):
        assert name == "scale"

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        if by_mistake:
            with self.torch.cuda.stream(self.torch.cuda.default_stream()):
                self.torch.mul(x, 2, out=y)
        else:
            self.torch.mul(x, 2, out=y)


class Triton(Torch):
    """The kernels of gpu.cu in Triton."""

    def kernel(self, name):
        import triton_kernels

        return getattr(triton_kernels, name)

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        if by_mistake:
            with self.torch.cuda.stream(self.torch.cuda.default_stream()):
                kernel[(blocks,)](n, x, y, BLOCK=threads)
        else:
            kernel[(blocks,)](n, x, y, BLOCK=threads)


class Bench(on_gpu.Bench):
    """A Session and what it launches."""

    def __init__(self, backend):
        module, self.backend = backends.modules()[backend], backend
        self.device = next(device for device in module.probe(backend) if device.name.startswith("NVIDIA "))
        self.session = module.Session(backend, self.device)
        self.library = {"torch": Torch, "triton": Triton}[backend](self.session)
        self.big = min(on_gpu.BIG, self.device.device_limits.memory_bytes // 64)


def events(bench, call, x, y):
    """By torch.cuda.Event."""
    from functools import partial

    event = partial(bench.library.torch.cuda.Event, enable_timing=True)
    return on_gpu._between(bench, call, event, lambda begin, end: begin.elapsed_time(end))


def check_launch_facts(bench):
    x, y, _ = bench.arrays(1000)
    call = bench.call("scale", 1000, x, y)
    call.once()
    call.run.kernel = bench.library.kernel("scale")
    facts = bench.session.launch_facts(call)
    assert 1 <= facts.registers <= 255, facts
    assert facts.max_block_size == 1 << 20, facts
    assert 0 < facts.occupancy <= 1, facts


def main(backend, out):
    on_gpu.OWN_TIMERS[backend], on_gpu.LONG[backend] = events, 100_000_000
    bench, found = Bench(backend), {}
    names = [*CHECKS, *OF_KERNELS] if backend == "triton" else CHECKS
    checks = {name: getattr(on_gpu, f"check_{name}") for name in names}
    if backend == "triton":
        checks["launch_facts"] = check_launch_facts
    for name, check in checks.items():
        try:
            check(bench)
            found[name] = None
        except (Exception, pytest.fail.Exception):
            found[name] = traceback.format_exc()
        Path(out).write_text(json.dumps(found))
    bench.session.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
