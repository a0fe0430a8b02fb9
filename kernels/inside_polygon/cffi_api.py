"""C point by point, through CFFI's API mode."""

SOURCES = ("inside_polygon.c",)


def prepare(case):
    module = case.artifact("inside_polygon.c")
    from_buffer = module.ffi.from_buffer
    inside_polygon = module.lib.inside_polygon_int32

    def run(polygon, mask):
        height, width = mask.shape
        corners, pixels = from_buffer("int32_t[]", polygon), from_buffer("uint8_t[]", mask, require_writable=True)
        inside_polygon(corners, len(polygon), pixels, height, width)

    return run
