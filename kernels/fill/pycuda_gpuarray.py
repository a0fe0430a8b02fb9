"""PyCUDA's GPUArray.fill."""


def prepare(case):
    stream = case.stream

    def run(out):
        out.fill(1, stream=stream)

    return run
