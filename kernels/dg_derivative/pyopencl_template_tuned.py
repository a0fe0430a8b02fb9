"""OpenCL template with the numbers of elements that the sweep found fastest on this device."""

TUNED_BY = "pyopencl_template"
SOURCES = ("pyopencl_template.py", "dg_derivative.cl.jinja")


def prepare(case):
    return case.prepared("pyopencl_template", **case.tuned)
