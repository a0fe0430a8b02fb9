"""NumPy tile by tile; a tile fits the L1 cache."""

TILE = 64


def run(x, out):
    for top in range(0, len(x), TILE):
        for left in range(0, len(x), TILE):
            out[left : left + TILE, top : top + TILE] = x[top : top + TILE, left : left + TILE].T
