"""pycuda_template with the numbers of elements per block and thread that were fastest on this device."""

TUNED_BY = "pycuda_template"
SOURCES = ("pycuda_template.py", "dg_derivative.cu.jinja")


def prepare(case):
    return case.prepared("pycuda_template", **case.tuned)
