"""cupy_raw_template with the block size and the unrolling that were fastest on this device."""

TUNED_BY = "cupy_raw_template"
SOURCES = ("cupy_raw_template.py", "scale.cu.jinja")


def prepare(case):
    return case.prepared("cupy_raw_template", **case.tuned)
