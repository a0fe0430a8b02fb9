"""CUDA template with the block size and unrolling that the sweep found fastest on this device."""

TUNED_BY = "pycuda_template"
SOURCES = ("pycuda_template.py", "scale.cu.jinja")


def prepare(case):
    return case.prepared("pycuda_template", **case.tuned)
