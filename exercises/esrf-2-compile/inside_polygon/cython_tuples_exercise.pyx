"""Exercise: Python code on tuples, compiled unchanged by Cython."""

ALGORITHM = "pixel by pixel"


def convert(polygon):
    return {"polygon": [tuple(corner) for corner in polygon.tolist()]}


def inside(polygon, point):
    return False  # your Python code, unchanged


def run(polygon, mask):
    raise NotImplementedError("write inside(), then delete this line: how much faster is it, just compiled?")
    height, width = mask.shape
    for y in range(height):
        mask[y] = [inside(polygon, (x, y)) for x in range(width)]
