def inside(polygon, x, y):
    crossings = 0
    for i in range(len(polygon)):
        xa, ya = polygon[i, 0], polygon[i, 1]  # polygon[i] would create an array for each edge
        if x == xa and y == ya:
            return True
        j = (i + 1) % len(polygon)
        xb, yb = polygon[j, 0], polygon[j, 1]
        if min(ya, yb) < y <= max(ya, yb) and x <= max(xa, xb):
            across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
            crossings += across <= along if ya < yb else across >= along
    return crossings % 2 == 1


# pythran export inside_polygon(int32[:, :], uint8[:, :])
def inside_polygon(polygon, mask):
    height, width = mask.shape
    # omp parallel for
    for y in range(height):
        for x in range(width):
            mask[y, x] = inside(polygon, x, y)
