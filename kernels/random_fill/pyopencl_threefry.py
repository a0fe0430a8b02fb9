"""pyopencl.clrandom's ThreefryGenerator: counter-based, from the Random123 library."""

from pyopencl.clrandom import ThreefryGenerator


def prepare(case):
    generator = ThreefryGenerator(case.queue.context, seed=20230308)

    def run(out):
        if out.size:  # it cannot launch 0 work-items
            generator.fill_uniform(out)

    return run
