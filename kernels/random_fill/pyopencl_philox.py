"""pyopencl.clrandom's PhiloxGenerator: counter-based, from the Random123 library."""

from pyopencl.clrandom import PhiloxGenerator


def prepare(case):
    generator = PhiloxGenerator(case.queue.context, seed=20230308)

    def run(out):
        if out.size:  # it cannot launch 0 work-items
            generator.fill_uniform(out)

    return run
