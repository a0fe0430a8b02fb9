"""Make the Cases of a machine, and set the baseline, the Floor and the Scatter of each Case."""

from statistics import fmean

from accelbench.analysis import noise
from accelbench.analysis.cases import Case
from accelbench.analysis.choices import best_of, by_implementation, group_by
from accelbench.analysis.peaks import PeakRates, peaks
from accelbench.analysis.priors import DEVICE, HOST, MIXED, Moments, usual_of_cores
from accelbench.analysis.samples import log_ratios
from accelbench.analysis.scatter import Scatter, estimate
from accelbench.model.record import problem_id

# Share of CPU time used by other processes above which a larger variation between repetitions is assumed
OTHERS = 0.02


def gather(results, *, first_look=False, moments=()):
    """Return all Cases of a machine with their baselines, in the order in which tables list them.

    first_look  whether cases with one repetition get intervals, computed from the prior alone (the typical variance
                between repetitions)
    moments     list of {kind: Moments} of measurements on this machine; by default, the Moments recorded in `results`
    """
    cases = beside_baselines(results, noise.judged(results))
    measured = own_scatter(results, moments or [run.scatter for _, run in results.runs], pools(cases))
    measured.first_look = first_look
    _set_floors(cases, results)
    for case in cases:
        case.scatter = measured
    return cases


def beside_baselines(results, records, scatter=None):
    """Return the Cases of `records`, in the order in which tables list them.

    In each Case, `beside`, `baselines`, `baseline` and `peak_samples` are set.

    scatter  Scatter of the cases; by default, a Scatter with the usual priors
    """
    baselines = {kernel: metadata.all_baselines for kernel, metadata in results.kernels.items()}
    scatter, host_devices = scatter or Scatter(), results.machine.host_devices
    cases = [
        Case(
            record,
            algorithm=next(iter(results.kernels[record.kernel].algorithms), None),
            is_baseline=record.implementation in baselines[record.kernel],
            on_accelerator=record.device not in host_devices,
            scatter=scatter,
        )
        for record in records
    ]
    cases.sort(key=lambda case: case.order)
    for several in group_by(cases, lambda case: case.problem).values():
        levels = {}
        for case in several:
            case.beside, case._levels = several, levels
        _choose_baseline(several)
    for case in cases:
        case.peak_samples = _peak_samples(case, results)
    return cases


def _set_floors(cases, results):
    """Set each case's Floor from the peak rates of the instance (such as a node) on which the case was measured.

    Cases that were measured on several instances keep the empty Floor.
    """

    def instances(case):
        return frozenset(results.instances.get(repetition, "") for repetition in case.record.repetitions)

    for measured_on, group in group_by(cases, instances).items():
        if len(measured_on) == 1:
            rates = PeakRates(peaks(group), results.machine.host_devices)
            for case in group:
                case.floor = rates.floor(case.record)


def _peak_samples(case, results):
    """Return {repetition: {round: least seconds to move the case's bytes}} of rounds with a sampled peak."""
    r, samples = case.record, {}
    problem = problem_id(r.kernel, options=r.options, size=r.size, dtype=r.dtype)
    where = (r.device, None) if case.on_accelerator else ("cpu", r.threads)
    for repetition in case.samples("compute"):
        watched = results.watched.get((repetition, problem))
        for peak in watched.peaks if watched else ():
            if (peak.device, peak.threads) == where:
                share = ((r.bytes_read or 0) + (r.bytes_written or 0)) / peak.moved_bytes
                samples[repetition] = {n: share * s for n, s in zip(peak.rounds, peak.samples_s, strict=True)}
    return samples


def _choose_baseline(cases):
    """Set `baselines` and `baseline` of all cases of a problem."""
    baselines = [case for case in cases if case.is_baseline and case.samples("compute")]
    baselines.sort(key=lambda case: case.seconds("compute"))
    bests = [best_of(group, "compute") for group in group_by(baselines, by_implementation).values()]
    best = min(bests, key=lambda candidate: (len(candidate.samples) < 2, candidate.seconds), default=None)
    for case in cases:
        case.baselines = baselines
        case.baseline = best


def own_scatter(results, moments, pools) -> Scatter:
    """Return the Scatter of a machine.

    moments  list of {kind: Moments} of measurements on this machine
    pools    {kind: log ratios of each comparison}; see the function `pools`

    The prior of a kind of ratio is estimated from `pools` if this kind has enough comparisons, otherwise from
    `moments`. If `moments` has too few variances, the usual prior is used. The usual prior of ratios that involve times
    on cores is wider if other processes use the CPUs.
    """
    states = [s for r in results.records for passes in r.environment.system_state for s in passes]
    machine, shares = results.machine, [share for share in map(noise.share_of_others, states) if share is not None]
    kind = {"virtualised": machine.virtualised, "gpu": machine.has_gpu}
    known = usual_of_cores(**kind, disturbed=bool(shares) and fmean(shares) > OTHERS) | Moments.priors(moments)
    return estimate(pools, **kind, batches=results.batches, instances=results.instances, known=known)


def pools(cases):
    """Return {kind of ratio: list with {repetition: log ratio} of each comparison}.

    Each case is compared with its baseline. Cases on accelerators are also compared with the problem's first case on an
    accelerator.
    """
    ratios = {HOST: [], DEVICE: [], MIXED: []}
    for several in group_by(cases, lambda case: case.problem).values():
        timed = [case for case in several if case.samples("compute")]
        device = next((case for case in timed if case.on_accelerator), None)
        for case in timed:
            if case.baseline and case is not case.baseline.case:
                logs, chosen = log_ratios(case.baseline.samples, case.samples("compute")), case.baseline.chosen
                # Omit repetitions in which the case is the baseline itself
                others = {name: value for name, value in logs.items() if chosen[name] is not case}
                ratios[case.pool("compute")].append(others)
            if device and case.on_accelerator and device is not case:
                ratios[DEVICE].append(log_ratios(device.samples("compute"), case.samples("compute")))
    return ratios
