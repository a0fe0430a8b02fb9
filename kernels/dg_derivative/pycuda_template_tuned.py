"""CUDA template with the numbers of elements that the sweep found fastest on this device."""

TUNED_BY = "pycuda_template"
SOURCES = ("pycuda_template.py", "dg_derivative.cu.jinja")


def prepare(case):
    return case.prepared("pycuda_template", **case.tuned)
