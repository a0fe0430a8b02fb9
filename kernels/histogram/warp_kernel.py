"""Warp kernel, one thread per number, atomic additions; a CPU counts all numbers in one thread."""

import warp as wp


def prepare(case):
    real, bins = getattr(wp, case.dtype), 2 ** int(case.options["bits"])

    @wp.kernel(module="unique")
    def histogram(x: wp.array(dtype=real), bins: int, counts: wp.array(dtype=int)):
        bin = x[wp.tid()] * real(bins)
        if bin >= real(0) and bin < real(bins):
            wp.atomic_add(counts, int(bin), 1)

    def run(x, counts):
        counts.zero_()
        wp.launch(histogram, case.size, inputs=[x, bins], outputs=[counts])

    return run
