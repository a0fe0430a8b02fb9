"""pyperf's JSON, version 1.0: a benchmark is a case, a run a fresh process, its values the samples in seconds.

Source: pyperf's documentation, "pyperf file format" and "Benchmark metadata".
"""

from accelbench.export.samples import by_process
from accelbench.export.samples import timed as holds
from accelbench.model.record import case_id

VERSION = "1.0"


def document(results):
    """Return the whole suite. pyperf compares means of all samples where accelbench takes medians: a few slow samples
    change its numbers, not ours."""
    machine = results.machine
    about = {
        "cpu_count": machine.cpu.available,
        "cpu_model_name": machine.cpu.model,
        "hostname": machine.hostname,
        "platform": f"{machine.os}, kernel {machine.kernel}",
        "python_version": machine.python,
        "unit": "second",
    }
    return {
        "version": VERSION,
        "metadata": {name: _one_line(value) for name, value in about.items() if value},
        "benchmarks": [_benchmark(record) for record in results.records if holds(record)],
    }


def _benchmark(record):
    runs = [{"metadata": {"loops": loops}, "values": samples} for samples, loops in by_process(record)]
    about = {
        "name": case_id(record),
        "description": f"{record.kernel} by {record.implementation}, {record.dtype}, size {record.size}",
        "device": record.device,
    }
    return {"metadata": {name: _one_line(value) for name, value in about.items()}, "runs": runs}


def _one_line(value):
    """Line breaks are an error to pyperf."""
    return " ".join(value.split()) if isinstance(value, str) else value
