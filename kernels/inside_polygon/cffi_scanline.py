"""C, row by row, called through CFFI."""

SOURCES = ("inside_polygon.c",)
VARIANTS = {"openmp": ("-fopenmp",)}


def prepare(case):
    extension = case.artifact("inside_polygon.c")
    inside_polygon, buffer = extension.lib.inside_polygon_scanline_int32, extension.ffi.from_buffer

    def run(polygon, mask):
        inside_polygon(buffer("int32_t[]", polygon), len(polygon), buffer("uint8_t[]", mask), *mask.shape)

    return run
