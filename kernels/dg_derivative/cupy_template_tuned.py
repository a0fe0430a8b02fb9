"""cupy_raw_template with the numbers of elements per block and thread that were fastest on this device."""

TUNED_BY = "cupy_raw_template"
SOURCES = ("cupy_raw_template.py", "dg_derivative.cu.jinja")


def prepare(case):
    return case.prepared("cupy_raw_template", **case.tuned)
