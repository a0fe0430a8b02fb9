"""An empty CUDA C kernel, precompiled, launched through cuda.core."""

from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("launch.cu",)


def prepare(case):
    nothing = ObjectCode.from_fatbin(case.artifact("launch.cu")).get_kernel(f"launch_{case.dtype}")
    config = LaunchConfig(grid=1, block=case.block_size)
    return lambda x: launch(case.stream, config, nothing, x.ptr)
