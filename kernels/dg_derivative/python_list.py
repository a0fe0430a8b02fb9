"""Lists of Python floats, in double precision always."""


def convert(matrices, u, factors):
    return matrices.tolist(), u.tolist(), factors.tolist()


def gradient(matrices, values, factors):
    nodes = range(len(values))
    edges = [[sum(values[b] * matrices[b][c][a] for b in nodes) for a in nodes] for c in range(3)]
    return [[f * p + g * q + h * r for p, q, r in zip(*edges, strict=True)] for f, g, h in factors]


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("a list of no elements does not know how many nodes they have")
    return lambda matrices, u, factors, out: [gradient(matrices, p, f) for p, f in zip(u, factors, strict=True)]
