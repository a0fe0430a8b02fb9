"""pyopencl_template with the block size and the unrolling that were fastest on this device."""

TUNED_BY = "pyopencl_template"
SOURCES = ("pyopencl_template.py", "scale.cl.jinja")


def prepare(case):
    return case.prepared("pyopencl_template", **case.tuned)
