"""Times of kernels of today's libraries, measured by the profilers or the events of these libraries.

Each function takes an others.Timed and returns (seconds per call by us, by the library).
"""

import tempfile
from pathlib import Path

US, NS, MS = 1e-6, 1e-9, 1e-3


def by_torch_profiler(timed):
    from torch.profiler import ProfilerActivity, profile

    def other():
        with profile(activities=[ProfilerActivity.CUDA]) as found:
            _calls(timed)
        return US * sum(event.self_device_time_total for event in found.key_averages()) / timed.many

    return timed.beside("compute", other)


def by_jax_profiler(timed):
    from jax import profiler

    def other():
        with tempfile.TemporaryDirectory() as folder:
            with profiler.trace(folder):
                _calls(timed)
            (file,) = Path(folder).rglob("*.xplane.pb")
            gpus = [plane for plane in profiler.ProfileData.from_file(str(file)).planes if "GPU" in plane.name]
        streams = [line for plane in gpus for line in plane.lines if line.name.startswith("Stream")]
        return NS * sum(event.duration_ns for stream in streams for event in stream.events) / timed.many

    return timed.beside("compute", other)


def by_triton_graph(timed):
    from triton.testing import do_bench_cudagraph

    return timed.beside("compute", lambda: MS * do_bench_cudagraph(timed.once, rep=10, return_mode="median"))


def by_cuda_core_events(timed):
    from cuda.core import EventOptions

    stream, timing = timed.session.stream, EventOptions(timing_enabled=True)

    def elapsed_ms(begin, end):
        end.sync()
        return end - begin

    return timed.between(lambda: stream.record(options=timing), elapsed_ms)


def by_warp_timing(timed):
    import warp

    def other():
        warp.timing_begin(cuda_filter=warp.TIMING_KERNEL)
        _calls(timed)
        return MS * sum(result.elapsed for result in warp.timing_end()) / timed.many

    return timed.beside("compute", other)


def _calls(timed):
    timed.session.wait(timed.in_a_row())
    timed.session.synchronise()


LARGE, LONG = (
    10_000_000,
    100_000_000,
)  # Sizes at which gaps between kernels (LARGE) and twenty launches (LONG) become negligible

OWN_CLOCKS = {  # {tool: (function, implementation, minimum size from which both times should agree)}
    "torch.profiler": (by_torch_profiler, "torch_out", LARGE),
    "jax.profiler": (by_jax_profiler, "jax_jit", LONG),  # compared with the host's clock
    "triton do_bench_cudagraph (Triton)": (by_triton_graph, "triton_jit", LARGE),
    "cuda.core's events": (by_cuda_core_events, "cuda_core_raw", LARGE),
    "warp.timing_begin": (by_warp_timing, "warp_kernel", LARGE),
}
