"""Pure Python: a function on tuples of integers, called for each pixel."""

ALGORITHM = "pixel by pixel"


def convert(polygon):
    return {"polygon": [tuple(corner) for corner in polygon.tolist()]}


# idea: every pixel compares its coordinates with all edges, one Python object at a time
def inside(polygon, point):
    crossings = 0
    x, y = point
    for i, (xa, ya) in enumerate(polygon):
        if x == xa and y == ya:
            return True
        xb, yb = polygon[(i + 1) % len(polygon)]
        if min(ya, yb) < y <= max(ya, yb) and x <= max(xa, xb):
            if ya < yb:
                crossings += (x - xa) * (yb - ya) <= (y - ya) * (xb - xa)
            else:
                crossings += (x - xb) * (ya - yb) <= (y - yb) * (xa - xb)
    return crossings % 2 == 1


# end of idea


def run(polygon, mask):
    height, width = mask.shape
    for y in range(height):
        mask[y] = [inside(polygon, (x, y)) for x in range(width)]
