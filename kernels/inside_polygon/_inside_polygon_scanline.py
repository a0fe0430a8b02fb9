def fill_row(polygon, mask, y):
    width = mask.shape[1]
    for x in range(width):
        mask[y, x] = 0
    waiting = -1
    for i in range(len(polygon)):
        j = i + 1 if i + 1 < len(polygon) else 0
        xa, ya, xb, yb = polygon[i, 0], polygon[i, 1], polygon[j, 0], polygon[j, 1]
        if (ya < y) != (yb < y):
            # Measure from the edge's left end: no operand is negative, so the division rounds down.
            x_left, y_left = (xa, ya) if xa < xb else (xb, yb)
            column = min(max(x_left + abs(y - y_left) * abs(xb - xa) // abs(yb - ya) + 1, 0), width)
            if waiting < 0:
                waiting = column
            else:
                for x in range(min(waiting, column), max(waiting, column)):
                    mask[y, x] ^= 1
                waiting = -1


# pythran export inside_polygon(int32[:, :], uint8[:, :])
def inside_polygon(polygon, mask):
    height, width = mask.shape
    # omp parallel for
    for y in range(height):
        fill_row(polygon, mask, y)
    for i in range(len(polygon)):
        x, y = polygon[i, 0], polygon[i, 1]
        if 0 <= x < width and 0 <= y < height:
            mask[y, x] = 1
