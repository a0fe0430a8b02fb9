"""Exercise: pure Python that calls a function for each pixel, with tuples of int."""

ALGORITHM = "pixel by pixel"


def convert(polygon):
    return {"polygon": [tuple(corner) for corner in polygon.tolist()]}


def inside(polygon, point):
    """Return whether the point (x, y) is inside, by the rule in kernel.py."""
    return False


def run(polygon, mask):
    raise NotImplementedError("write inside(), then delete this line and profile: what takes the time?")
    height, width = mask.shape
    for y in range(height):
        mask[y] = [inside(polygon, (x, y)) for x in range(width)]
