"""Samples of a case by process, for formats that contain samples."""


def timed(record):
    """Return whether a record has samples of the computation itself."""
    return record.outcome == "ok" and any(record.timings["compute"].samples_s)


def by_process(record):
    """Return (samples in seconds, calls per sample) of each process that took samples, in order of repetitions."""
    timing = record.timings["compute"]
    return [(samples, loops) for samples, loops in zip(timing.samples_s, timing.loops, strict=True) if samples]
