"""Lists of Python floats, row by row, in double precision always."""


def convert(x):
    return (x.tolist(),)


def run(x, out):
    if len(x) < 3:  # all is border
        return x if x else out
    means = [x[0]]
    for above, row, below in zip(x, x[1:], x[2:], strict=False):
        points = zip(row[1:], above[1:], below[1:], row, row[2:], strict=False)
        means.append([row[0], *((a + b + c + d + e) / 5 for a, b, c, d, e in points), row[-1]])
    return [*means, x[-1]]
