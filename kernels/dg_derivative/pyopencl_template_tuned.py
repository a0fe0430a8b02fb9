"""pyopencl_template with the numbers of elements per work-group and work-item that were fastest on this device."""

TUNED_BY = "pyopencl_template"
SOURCES = ("pyopencl_template.py", "dg_derivative.cl.jinja")


def prepare(case):
    return case.prepared("pyopencl_template", **case.tuned)
