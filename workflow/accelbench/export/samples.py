"""Samples of a case, grouped by process, for export formats that contain samples."""


def timed(record):
    """Return whether a record has samples of the kind `compute`, the time of the computation alone."""
    return record.outcome == "ok" and any(record.timings["compute"].samples_s)


def by_process(record):
    """Return [(samples in seconds, calls per sample)] of the processes that took samples, in order of repetitions."""
    timing = record.timings["compute"]
    return [(samples, loops) for samples, loops in zip(timing.samples_s, timing.loops, strict=True) if samples]
