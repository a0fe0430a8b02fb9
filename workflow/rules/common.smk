# What all stages share: the configuration, the plan made from it, and the functions that read the plan.
import json
import os
import re
import sys
import time
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.io import is_flagged

STARTED = time.monotonic()
WORKFLOW = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).resolve().parent
sys.path.insert(0, str(WORKFLOW))

from accelbench import config as configuration
from accelbench import project, toolchains
from accelbench.cli import ending
from accelbench.config import placing, select
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.lectures import entries, needs
from accelbench.machine.software import fingerprint
from accelbench.measure import provenance
from accelbench.store import files, journal
from accelbench.verify import trial

# Jobs run `python -m accelbench` from this folder, with this Python where no conda environment is activated. They end
# with this process, however it ends.
# PYTHONPATH itself would not do: Snakemake removes it from the environment of conda jobs.
os.environ.update(
    ACCELBENCH_PATH=str(WORKFLOW),
    PYTHONSAFEPATH="1",  # files in the working folder must not replace modules
    ACCELBENCH_RUN=f"{os.uname().nodename} {os.getpid()}",
    # Of the process that was started first: those that run jobs inherit it.
    ACCELBENCH_RUN_ID=os.environ.get("ACCELBENCH_RUN_ID", f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"),
    PATH=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]),
)


# With --sdm apptainer, jobs run in the image that accelbench.def describes, with the checkout's own code.
container: os.environ.get("ACCELBENCH_IMAGE", "accelbench.sif")


# Files given with --configfile, which are nobody's business but the main workflow's.
GIVEN = workflow.configfiles if workflow.modifier.is_main_snakefile() else []


def read_configuration():
    """Return (Config, its origin): --configfile, a module's `config:`, or config/config.yaml updated by --config."""
    # A `configfile:` directive would merge the default sweep into the user's file, key by key.
    # Of what stands in lists and mappings on the command line, Snakemake makes text, whatever it is.
    settings = configuration.typed(workflow.config_settings.config or {})
    if GIVEN:
        # Snakemake's own reader drops keys that are given twice, and takes 1:30 for 90.
        where = f"{configuration.where(GIVEN)}{' with --config' if settings else ''}"
        data = configuration.read_data(*GIVEN, settings=settings)
    elif config and not workflow.modifier.is_main_snakefile():
        where, data = "config: of the module", config
    else:
        where = f"{project.DEFAULT_CONFIG}{' with --config' if config else ''}"
        data = configuration.read_data(project.DEFAULT_CONFIG, settings=settings if config else {})
    provenance.note_configfiles(GIVEN or ([] if data is config else [project.DEFAULT_CONFIG]))
    return configuration.parse(data, where), where


try:
    CONFIG, CONFIGURED_IN = read_configuration()
    EFFECTIVE, BROKEN = select.plan(CONFIG, CONFIGURED_IN)
    project.check_places(".", CONFIG.machines)
    if workflow.is_main_process and any(machine.is_here for machine in CONFIG.machines.values()):
        placing.check(CONFIG, CONFIGURED_IN)
    pythons = [place.python for place in CONFIG.places.values()]
    FINGERPRINT = fingerprint((CONFIG.build.cc, CONFIG.build.cxx, "nvcc"), pythons)
    # A file given with --configfile replaces the lectures' own protocol, as it replaces config.yaml.
    LECTURE = CONFIG if GIVEN else needs.read_configuration(like=CONFIG)
except InputError as error:
    raise WorkflowError(str(error)) from None

# A kernel that cannot be loaded stays in the plan: its job fails and says why, and the others' do their work.
KERNELS = [*EFFECTIVE, *BROKEN]
if workflow.is_main_process:
    for error in BROKEN.values():
        print(f"error: {error}", file=sys.stderr)

MACHINES = list(CONFIG.machines)
if workflow.modifier.is_main_snakefile() and workflow.is_main_process and not workflow.dryrun:
    provenance.commit(project.ROOT)  # its note is not repeated by jobs
    for machine in MACHINES:
        files.end_future(Path("results", machine))
        files.end_future(Path("reports", machine))

# What lectures measure may be no part of the configuration; folders are looked for here, and read when asked for.
FOLDERS = {**select.find(CONFIG), **catalog.find([project.PEAKS])}


wildcard_constraints:
    machine="|".join(MACHINES),
    kernel="|".join(sorted({*KERNELS, *FOLDERS})),
    toolchain="|".join(toolchains.modules()),
    repetition="[1-9][0-9]*",


@cache
def digest_file(path):
    """Return a digest of a file's name and content."""
    try:
        return files.digest(path.name, path.read_bytes())
    except OSError as error:  # the stage that reads the file reports it
        return error.strerror


def get_digest(paths):
    """Return a digest of sources. They are parameters: of inputs, Snakemake compares times, which may be in the future."""
    return files.digest(*map(digest_file, sorted(paths)))


def get_folder(kernel):
    """A kernel's folder, whether the configuration measures it or a lecture alone."""
    try:
        return EFFECTIVE[kernel].kernel if kernel in EFFECTIVE else trial.load(FOLDERS[kernel])
    except InputError as error:
        raise WorkflowError(str(error)) from None


def get_build_sources(wildcards):
    """Return the digest of every file that can change what a toolchain builds for a kernel."""
    folder = get_folder(wildcards.kernel)
    users = {i.path for i in folder.implementations.values() if i.toolchain == wildcards.toolchain and not i.problem}
    toolchain = Path(toolchains.modules()[wildcards.toolchain].__file__)
    return get_digest({*users, toolchain, *folder.native_sources()})


def get_sources(wildcards):
    """Return the digest of every file that can change what a kernel computes and how."""
    return get_digest(EFFECTIVE[wildcards.kernel].sources() if wildcards.kernel in EFFECTIVE else ())


def get_manifests(kernel):
    """The build manifests of a kernel that is measured, one a toolchain its implementations need; else none."""
    measured = EFFECTIVE.get(kernel)
    needed = toolchains.needed(measured.kernel, measured.implementations) if measured else []
    return expand("results/{{machine}}/build/{kernel}/{toolchain}.json", kernel=kernel, toolchain=needed)


def get_package(*rooms):
    """Return a digest of the package's rooms that decide a stage's output. "model" is always one of them."""
    package = WORKFLOW / "accelbench"
    found = (file for room in ("model", *rooms) for file in [package / f"{room}.py", *(package / room).rglob("*")])
    return get_digest(file for file in found if file.is_file() and "__pycache__" not in file.parts)


def get_settings(kernel):
    """Return the settings that decide one kernel's measurements, as JSON: all but the number of repetitions."""
    settings = (EFFECTIVE[kernel].config if kernel in EFFECTIVE else CONFIG).settings(kernel)
    del settings["protocol"]["repetitions"]
    return json.dumps(settings, sort_keys=True)


def get_profiled_sources(wildcards):
    """Return the digest of every file that can change where the profiled implementations spend their time."""
    folder = get_folder("inside_polygon")
    paths = (folder.implementations[name].path for name in PROFILED)
    return get_digest({folder.file, *folder.native_sources(), *paths})


def get_due(wildcards):
    """The file that is newer than a kernel's results where the next run has more to measure, if there is one."""
    if not workflow.modifier.is_main_snakefile():
        return []
    kept = journal.KernelJournal(Path("results", wildcards.machine), wildcards.kernel)
    if kept.is_lost(get_numbers(wildcards)):
        if workflow.executor_plugin is None or workflow.dryrun:
            return [os.path.join(os.sep, "proc", "self")]  # newer than any result, and there without being written
        kept.set_due(True)
    return [str(kept.due)] if kept.due.exists() else []


def get_sweep(wildcards):
    """What a repetition waits for: of a kernel with implementations that a sweep tunes the first, which chooses."""
    if wildcards.repetition == "1" or wildcards.kernel in BROKEN:
        return []
    tuned = any(i.tuned_by for i in get_folder(wildcards.kernel).implementations.values())
    return ["results/{machine}/repetitions/{kernel}/1.json"] if tuned else []


def get_numbers(wildcards):
    """Return the numbers of a kernel's repetitions. A peak has one: the cases that are compared with it sample it again."""
    return range(1, 2 if FOLDERS[wildcards.kernel].parent == project.PEAKS else REPETITIONS + 1)


def get_repetitions(wildcards):
    """What each of a kernel's repetitions leaves behind."""
    return expand("results/{{machine}}/repetitions/{{kernel}}/{number}.json", number=get_numbers(wildcards))


def get_sections(*sections):
    """A function giving sections of the configuration, all of them where none is named, as JSON. In a string that is no
    function's, Snakemake takes braces, of a path say, for wildcards."""
    settings = CONFIG.model_dump(mode="json")
    text = json.dumps({name: settings[name] for name in sections or settings}, sort_keys=True)
    return lambda wildcards: text


def get_here(wildcards):
    """What of this computer decides what is measured on it; None for nodes of a cluster, of which it says nothing."""
    return [FINGERPRINT, workflow.cores] if CONFIG.machines[wildcards.machine].is_here else None


def get_all_cores(wildcards):
    """Every core of the computer a job runs on, so that nothing else of this workflow runs beside it."""
    wanted = CONFIG.machines[wildcards.machine]
    plugin = workflow.executor_plugin
    runs_here = workflow.is_main_process and plugin is not None and plugin.common_settings.local_exec
    if runs_here and not (wanted.is_here or workflow.dryrun):
        first = next(name for name, machine in CONFIG.machines.items() if not machine.is_here)
        problem = f"machines.{first} is a node of a cluster, and nothing sends jobs to one"
        raise WorkflowError(str(InputError(CONFIGURED_IN, problem, "Add --workflow-profile slurm (docs/clusters.md)")))
    try:
        return wanted.cores or workflow.cores
    except WorkflowError:  # nothing else says how many
        key, remedy = f"machines.{wildcards.machine}.cores", "Write how many cores such a node has (docs/clusters.md)"
        raise WorkflowError(str(InputError(CONFIGURED_IN, f"{key} is missing", remedy))) from None


def get_measured_cores(wildcards):
    """Return the option for the cores that repetitions were measured on. A node of a cluster gives all it has."""
    wanted = CONFIG.machines[wildcards.machine]
    cores = workflow.cores if wanted.is_here else wanted.cores
    return f"--cores {cores}" if cores else ""


def get_request(name):
    """A function giving what the scheduler of a cluster is asked for under `name`, None for nothing."""
    return lambda wildcards: getattr(CONFIG.machines[wildcards.machine], name)


REPETITIONS = CONFIG.protocol.repetitions
# Lower than the priority of builds, which all come first, and higher than that of anything else.
FIRST_REPETITION = 1000

# Resources of every job that must run on the machine it is for.
NODE = {name: get_request(name) for name in configuration.REQUESTS}


def get_targets():
    """Return every target. Results are among them: a report is made again if only its results are missing."""
    once = [
        "reports/{machine}/index.html",
        "results/{machine}/machine.json",
        "results/{machine}/tables/timings.parquet",
    ]
    each = ["results/{machine}/timings/{kernel}.jsonl", "results/{machine}/kernels/{kernel}.json"]
    tables = expand("results/{machine}/tables/{table}.csv", machine=MACHINES, table=TABLES)
    return [*expand(once, machine=MACHINES), *expand(each, machine=MACHINES, kernel=KERNELS), *tables]


def keep_until_replaced(page):
    """Flag an output that Snakemake must not delete before its job. A module has no onerror, so it gets no flag."""
    return update(page) if workflow.modifier.is_main_snakefile() else page


def get_root(depth):
    """A function giving the folder `depth` levels above a rule's first output, wherever a module's prefix puts it."""
    return lambda wildcards, output: str(Path(output[0]).parents[depth - 1])


def get_entries():
    """{id: figure} as config/figures.yaml declares them."""
    try:
        return entries.read()
    except InputError as error:
        raise WorkflowError(str(error)) from None


@cache
def get_needs(figure):
    """An EffectiveConfig of each part of a figure that can be measured here."""
    try:
        entry = entries.find(figure)
        needs.check([entry], LECTURE)
        return [need.config for need in needs.of(entry, LECTURE) if need.config is not None]
    except InputError as error:
        raise WorkflowError(str(error)) from None


def get_figure_manifests(wildcards):
    """The build manifests of everything a figure measures, and of what watches the machine meanwhile."""
    parts = get_needs(wildcards.figure)
    built = {(p.kernel.name, name) for p in parts for name in toolchains.needed(p.kernel, p.implementations)}
    paths = [f"results/{{machine}}/build/{kernel}/{toolchain}.json" for kernel, toolchain in sorted(built)]
    return [*paths, *(get_manifests("peak_read") if built else [])]


def get_figure_sources(wildcards):
    """Return the digest of every file that can change what a figure measures."""
    return get_digest({file for part in get_needs(wildcards.figure) for file in part.sources()})


def get_figure_settings(wildcards):
    """What decides a figure's measurements, as JSON."""
    parts = [part.config.settings(part.kernel.name) for part in get_needs(wildcards.figure)]
    return json.dumps(parts, sort_keys=True)


def get_profiles(wildcards):
    """The profiles, for the figure that shows them."""
    return PROFILES if wildcards.figure == "esrf-profile" else []


def get_shelf(wildcards):
    """Where `snakemake --report` lists a file of the pages: pages first, what they lead to last."""
    if not re.fullmatch(r"((kernels|lectures)/)?[^/]+\.html", wildcards.file):
        return "Beside the pages"
    return "Lectures" if re.match(r"lectures[./]", wildcards.file) else "Report"


def tell_end(succeeded):
    """Tell how a run ended, where nobody else does."""
    if ending.TELLS not in os.environ:
        ended = ending.FinishedRun(succeeded, STARTED, workflow.cores, workflow.dag_settings.targets)
        print(ending.end(CONFIG, KERNELS, ended))


# A limit to the rate of jobs wakes Snakemake's scheduler (9.27) as often a second as jobs have ended, which took a fifth
# of a core from what was being measured after fifty jobs.
onstart:
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    tell_end(succeeded=True)


# What a failed stage keeps from being made is made of what there is. Snakemake takes a page that a failed job did not
# replace for a new one. Make such a page old, so that the next run renders it again.
onerror:
    for job in workflow.dag.needrun_jobs():
        for page in (file for file in job.output if is_flagged(file, "update") and os.path.exists(file)):
            workflow.persistence.cleanup(job)
            os.utime(page, (1, 1))
    tell_end(succeeded=False)
