"""Figures of the kind `bandwidth`: how fast each backend moves data, beside the fastest copy of the same device."""

from accelbench.figures import style
from accelbench.lectures.kind import Kind
from accelbench.lectures.value import fastest
from accelbench.lectures.view import View, by_reason, nothing


class BandwidthKind(Kind):
    """Rows are kernels that move data: the bytes per second of each backend's fastest case at its largest size, in per
    cent of what the fastest of all backends moves on that device in the row that `over` names."""

    needs = ("measure", "rows", "over")
    of_one_time = True

    def validate(self, entry):
        super().validate(entry)
        for row in entry.rows:
            if row.kernel is None or row.implementation is None:
                raise ValueError(f"row {row.label!r}: kernel, implementation: a figure of kind bandwidth needs both")

    def view(self, entry, results):
        from accelbench.figures.share_maps import ShareMaps
        from accelbench.lectures.lines import left_out

        rates = _rates(entry, results)
        panels = [panel for device in rates if (panel := _panel(device, rates[device], entry=entry, results=results))]
        missing = [*_missing(entry, results, rates), *left_out(entry, results)]
        if not panels:
            return nothing("; ".join(missing) or f"{entry.over} was not measured")
        return View(
            ShareMaps(panels, [row.label for row in entry.rows], entry.over),
            f"{entry.title}, in % of the fastest {entry.over}.",
            sentences=[text for panel in panels for text in _tell(panel, entry)],
            missing=missing,
        )


def _rates(entry, results):
    """{device: {(backend, label of the row): bytes per second}}; the machine's own cores, under None, come first."""
    found = {None: {}}
    for row in entry.rows:
        groups, cases = {}, results.matching(row.implementation, kernel=row.kernel, size=row.size, dtype=row.dtype)
        for case in results.running(cases, row.threads, row.device):
            if case.ok:
                device = case.record.device if case.on_accelerator else None
                groups.setdefault((device, case.record.backend), []).append(case)
        for (device, backend), own in groups.items():
            largest = max(case.record.size for case in own)
            value = fastest([case for case in own if case.record.size == largest], row.time or entry.time)
            if value.seconds is not None:
                record = value.case.record
                moved = record.bytes_read + record.bytes_written
                found.setdefault(device, {})[backend, row.label] = moved / value.seconds
    return found


def _panel(device, rates, *, entry, results):
    """The SharePanel of a device, the backend that does best in the row `over` on top; None where none ran that."""
    from accelbench.figures.share_maps import SharePanel, ShareRow

    over = {backend: rate for (backend, label), rate in rates.items() if label == entry.over}
    if not over:
        return None
    rows = [
        ShareRow(backend, style.color(backend), [rates.get((backend, row.label)) for row in entry.rows])
        for backend in sorted({backend for backend, _ in rates}, key=lambda backend: (-over.get(backend, 0), backend))
    ]
    return SharePanel(device or results.machine.hardware, max(over.values()), rows)


def _missing(entry, results, rates):
    """Backends that have no number on any device, and those that lack one in some rows of a device, with the reason."""
    shown, failed = {backend for found in rates.values() for backend, _ in found}, {}
    for row in entry.rows:
        cases = results.matching(row.implementation, kernel=row.kernel, size=row.size, dtype=row.dtype)
        for case in results.running(cases, row.threads, row.device):
            backend, device = case.record.backend, case.record.device if case.on_accelerator else None
            if not case.ok and (backend, row.label) not in rates.get(device, {}):
                who = f"{backend}, {row.label}" if backend in shown else backend
                failed.setdefault(who, []).append(case)
    return by_reason((who, fastest(cases).reason) for who, cases in failed.items())


def _tell(panel, entry):
    """What the whole is, and who is farthest from it."""
    whole = f"100% is {style.rate(panel.whole, 'B/s')}, the fastest {entry.over} here, by {panel.rows[0].label}"
    least = min(
        ((rate, row.label, shown.label) for row in panel.rows for rate, shown in zip(row.rates, entry.rows, strict=True)
         if rate)
    )  # fmt: skip
    yield f"{panel.label}: {whole}; the least is {least[0] / panel.whole:.0%}, {least[2]} by {least[1]}."
