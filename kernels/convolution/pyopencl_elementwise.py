"""PyOpenCL ElementwiseKernel with a loop inside, each output gathering its inputs."""

from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    convolution = ElementwiseKernel(
        case.queue.context,
        f"{real} *out, const {real} *x, const {real} *weights, int taps",
        f"""
            {real} sum = 0;
            for (int k = 0; k < taps; k++)
                sum += weights[k] * x[i + taps - 1 - k];
            out[i] = sum
        """,
        "convolution",
    )

    def run(x, weights, out):
        if out.size:
            convolution(out, x, weights, weights.size)

    return run
