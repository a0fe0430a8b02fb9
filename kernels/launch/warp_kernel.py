"""An empty Warp kernel of one thread."""

import warp as wp


@wp.kernel
def nothing(x: wp.array(dtype=wp.float64)):
    pass


def run(x):
    wp.launch(nothing, 1, inputs=[x])
