"""Making the Cases of a machine: each with its baseline, its floor, and how far ratios scatter there."""

from collections import defaultdict

from accelbench.analysis import noise
from accelbench.analysis.cases import Case
from accelbench.analysis.choices import best_of, by_implementation, group_by
from accelbench.analysis.peaks import PeakRates, peaks
from accelbench.analysis.samples import log_ratios
from accelbench.analysis.scatter import DEVICE, HOST, MIXED, Scatter, estimate
from accelbench.model.record import problem_id


def gather(results):
    """Every Case of a machine in the order of the tables, each knowing its baseline."""
    baselines = {kernel: metadata.all_baselines for kernel, metadata in results.kernels.items()}
    scatter = Scatter()
    cases = [
        Case(
            record,
            algorithm=next(iter(results.kernels[record.kernel].algorithms), None),
            is_baseline=record.implementation in baselines[record.kernel],
            on_accelerator=record.device not in results.machine.host_devices,
            scatter=scatter,
        )
        for record in noise.judged(results)
    ]
    cases.sort(key=lambda case: case.order)
    problems = defaultdict(list)
    for case in cases:
        problems[case.problem].append(case)
    for several in problems.values():
        levels = {}
        for case in several:
            case.beside, case._levels = several, levels
        _choose_baseline(several)
    measured = _scatter(results, problems.values())
    _set_floors(cases, results)
    for case in cases:
        case.scatter = measured
        case.peak_samples = _peak_samples(case, results)
    return cases


def _set_floors(cases, results):
    """Tell cases what the peaks of the instance of the machine that they were measured on allow; what was measured on
    several is held against no peak but those beside it."""
    on = defaultdict(list)
    for case in cases:
        instances = {results.instances.get(repetition, "") for repetition in case.record.repetitions}
        if len(instances) == 1:
            on[instances.pop()].append(case)
    for own in on.values():
        rates = PeakRates(peaks(own), results.machine.host_devices)
        for case in own:
            case.floor = rates.floor(case.record)


def _peak_samples(case, results):
    """{repetition: {round: seconds that the machine needs at least for the case's bytes}}, where that was sampled."""
    r, found = case.record, {}
    problem = problem_id(r.kernel, options=r.options, size=r.size, dtype=r.dtype)
    where = (r.device, None) if case.on_accelerator else ("cpu", r.threads)
    for repetition in case.samples("compute"):
        watched = results.watched.get((repetition, problem))
        for peak in watched.peaks if watched else ():
            if (peak.device, peak.threads) == where:
                share = ((r.bytes_read or 0) + (r.bytes_written or 0)) / peak.moved_bytes
                found[repetition] = {n: share * s for n, s in zip(peak.rounds, peak.samples_s, strict=True)}
    return found


def _choose_baseline(cases):
    """Tell the cases of a problem which baselines it has, and which they are compared with."""
    baselines = [case for case in cases if case.is_baseline and case.samples("compute")]
    baselines.sort(key=lambda case: case.seconds("compute"))
    bests = [best_of(own, "compute") for own in group_by(baselines, by_implementation).values()]
    best = min(bests, key=lambda each: (len(each.samples) < 2, each.seconds), default=None)
    for case in cases:
        case.baselines = baselines
        case.baseline = best


def _scatter(results, problems):
    """The Scatter of a machine: of every case's ratio to its baseline, of devices' to the first one's there."""
    pools = {HOST: [], DEVICE: [], MIXED: []}
    for cases in problems:
        timed = [case for case in cases if case.samples("compute")]
        device = next((case for case in timed if case.on_accelerator), None)
        for case in timed:
            if case.baseline and case is not case.baseline.case:
                pools[case.pool("compute")].append(_beside_another(case))
            if device and case.on_accelerator and device is not case:
                pools[DEVICE].append(log_ratios(device.samples("compute"), case.samples("compute")))
    machine = results.machine
    gpu = any(not device.on_host for device in machine.devices)
    known = {"batches": results.batches, "instances": results.instances}
    return estimate(pools, virtualised=bool(machine.virtualised), gpu=gpu, **known)


def _beside_another(case):
    """The log ratios of a case to its baseline where that is another: by itself it is 1, however far times scatter."""
    logs = log_ratios(case.baseline.samples, case.samples("compute"))
    return {name: value for name, value in logs.items() if case.baseline.chosen[name] is not case}
