"""PyCUDA ElementwiseKernel with a loop inside, each output gathering its inputs."""

from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    real = case.ctype
    convolution = ElementwiseKernel(
        f"{real} *out, {real} *x, {real} *weights, int taps",
        f"""
            {real} sum = 0;
            for (int k = 0; k < taps; k++)
                sum += weights[k] * x[i + taps - 1 - k];
            out[i] = sum
        """,
        "convolution",
    )
    return lambda x, weights, out: convolution(out, x, weights, weights.size, stream=case.stream)
