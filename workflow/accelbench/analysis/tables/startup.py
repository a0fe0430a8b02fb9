"""Start-up time of each implementation; the module analysis.startup explains the parts of this time.

`startup_s` is the sum of `import_s`, `context_s`, `build_s` and `first_call_extra_s`.
`compile_s` is the time for building all files of the implementation ahead of time.
"""

from accelbench.analysis.rows import columns, describe

COLUMNS = columns(
    ("machine kernel implementation backend device dtype", str),
    ("threads", int),
    ("import_s context_s build_s first_call_s first_call_extra_s startup_s compile_s", float),
    ("source_lines", int),
)


def rows(analysis):
    table = [
        {**describe(times.case, COLUMNS), **times.parts, "startup_s": times.total_s, "compile_s": times.compile_s}
        for times in analysis.startup.values()
    ]
    order = ("kernel", "implementation", "backend", "device", "dtype")
    return sorted(table, key=lambda row: (*(row[name] for name in order), row["threads"] or 0))
