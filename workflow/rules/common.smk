# Code shared by all rules: the configuration, the plan of a run, resources of jobs, and the summary of a run.
import os
import sys
import time
from contextlib import contextmanager
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
from accelbench.config import run_plan, select
from accelbench.environments import placement
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.lectures import needs
from accelbench.machine.software import fingerprint
from accelbench.measure import provenance
from accelbench.store import files, formats
from accelbench.verify import trial

IS_MODULE = not workflow.modifier.is_main_snakefile()

# Jobs run in Snakemake's working folder, with Snakemake's Python unless a conda environment is active. ACCELBENCH_RUN
# names this process, so that jobs end when it ends. Snakemake removes PYTHONPATH from the environment of conda jobs, so
# ACCELBENCH_PATH passes the path of the package.
os.environ.update(
    ACCELBENCH_PATH=str(WORKFLOW),
    PYTHONSAFEPATH="1",  # files in the working folder must not replace modules
    ACCELBENCH_RUN=f"{os.uname().nodename} {os.getpid()}",
    # The main process sets this variable. Snakemake's processes on the nodes of a cluster inherit the value.
    ACCELBENCH_RUN_ID=os.environ.get("ACCELBENCH_RUN_ID", f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}"),
    PATH=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]),
)


# With --sdm apptainer, jobs run in the image that accelbench.def describes. They run the code of this checkout.
container: os.environ.get("ACCELBENCH_IMAGE", "accelbench.sif")


PLANS, REPORTS = map(workflow.modifier.path_modifier.replace_prefix, ("results/{machine}/plans", "reports/"))
# Name of the environment variable that contains the plan's name. Modules of one workflow share environment variables,
# so the variable's name depends on the prefix of the module.
PLAN_VARIABLE = f"ACCELBENCH_PLAN_{files.digest(PLANS)[:8]}"


def job(command):
    """Return the shell command of a job: a command of accelbench that reads the plan and writes a log."""
    python = 'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench'
    return f'{python} {command} --plan {{params.plans:q}}/"${PLAN_VARIABLE}".json --log {{log:q}}'


@contextmanager
def clear_errors():
    """Turn an InputError into a WorkflowError, which Snakemake prints without a traceback."""
    try:
        yield
    except InputError as error:
        raise WorkflowError(str(error)) from None


# A module ignores --configfile and --config, which are for the workflow that uses the module.
GIVEN = [] if IS_MODULE else workflow.configfiles


def read_configuration():
    """Return (Config, its source, its files). The source is a module's config, --configfile or config/config.yaml."""
    # This function reads the files itself. Snakemake's directive `configfile:` would merge the default sweep into the
    # user's file. Snakemake's reader drops keys that are given twice, and reads 1:30 as 90. Snakemake passes nested
    # values of --config as strings, so this function restores their types.
    if IS_MODULE and config:
        return configuration.parse(config, "config: of the module"), "config: of the module", []
    paths = GIVEN or [project.DEFAULT_CONFIG]
    settings = {} if IS_MODULE else configuration.typed(workflow.config_settings.config or {})
    where = f"{configuration.where(paths)}{' with --config' if settings else ''}"
    return configuration.parse(configuration.read_data(*paths, settings=settings), where), where, paths


with clear_errors():
    CONFIG, CONFIGURED_IN, CONFIGFILES = read_configuration()
    EFFECTIVE, BROKEN = select.plan(CONFIG, CONFIGURED_IN)
    project.check_places(".", CONFIG.machines)
    if workflow.is_main_process and any(machine.is_here for machine in CONFIG.machines.values()):
        placement.check(CONFIG.places, CONFIGURED_IN)
    FINGERPRINT = fingerprint((*CONFIG.build.cc, *CONFIG.build.cxx, "nvcc"), [place.python for place in CONFIG.places])
    # A file given with --configfile replaces config/lecture.yaml, just as it replaces config/config.yaml.
    LECTURES = CONFIG if GIVEN else needs.read_configuration(like=CONFIG)
    # Lecture figures may measure kernels that the configuration does not choose.
    FOLDERS = {**select.find(CONFIG), **catalog.find([project.PEAKS])}

# A kernel that cannot be loaded stays in the list. Its job fails with the reason, and the other jobs run.
KERNELS = [*EFFECTIVE, *BROKEN]
MACHINES = list(CONFIG.machines)
if workflow.is_main_process:
    for error in BROKEN.values():
        print(f"error: {error}", file=sys.stderr)
    # The plan's name is a digest of its content. So this run does not overwrite the plan of another run, whose jobs may
    # still wait.
    parts = CONFIG.model_dump_json(), LECTURES.model_dump_json(), CONFIGURED_IN, [*map(str, CONFIGFILES)]
    os.environ[PLAN_VARIABLE] = files.digest(*parts, workflow.resource_settings.cores)[:12]
    if not IS_MODULE:
        provenance.commit(project.ROOT)  # prints a note if git refuses to answer; jobs do not repeat the note


wildcard_constraints:
    machine="|".join(MACHINES),
    kernel="|".join(sorted({*KERNELS, *FOLDERS})),
    toolchain="|".join(toolchains.modules()),
    repetition="[1-9][0-9]*",


def get_here(wildcards):
    """Return [fingerprint, number of cores] of this computer, or the configured number of cores of a cluster node."""
    machine = CONFIG.machines[wildcards.machine]
    return [FINGERPRINT, workflow.cores] if machine.is_here else machine.cores


@clear_errors()
def get_cores(wildcards):
    """Return the number of cores of a job's computer. A job with all cores runs without other jobs beside it."""
    machine, plugin = CONFIG.machines[wildcards.machine], workflow.executor_plugin
    runs_here = workflow.is_main_process and plugin is not None and plugin.common_settings.local_exec
    if runs_here and not (machine.is_here or workflow.dryrun):
        first = next(name for name, machine in CONFIG.machines.items() if not machine.is_here)
        problem = f"machines.{first} is a node of a cluster, but this run sends no jobs to clusters"
        raise InputError(CONFIGURED_IN, problem, "Add --workflow-profile slurm (docs/clusters.md)")
    try:
        return machine.cores or workflow.cores
    except WorkflowError:  # Snakemake does not know the number of cores
        key, remedy = f"machines.{wildcards.machine}.cores", "Write how many cores such a node has (docs/clusters.md)"
        raise InputError(CONFIGURED_IN, f"{key} is missing", remedy) from None


@cache
def write_plan(path, machine):
    """Write the plan that the jobs of a machine read."""
    plan = {"config": CONFIG, "lectures": LECTURES, "where": CONFIGURED_IN, "reports": REPORTS}
    plan |= {"configfiles": [os.path.abspath(file) for file in CONFIGFILES]}
    plan |= {"cores": workflow.cores if CONFIG.machines[machine].is_here else CONFIG.machines[machine].cores}
    formats.write(Path(path), run_plan.RunPlan(**plan))


@clear_errors()
def get_plans(wildcards):
    """Return the folder of the plans that jobs read. If this run executes jobs, write its plan."""
    folder = Path(PLANS.format(machine=wildcards.machine))
    if workflow.is_main_process and workflow.executor_plugin and not workflow.dryrun:
        if not folder.with_name("machine.json").exists():
            get_cores(wildcards)  # raises InputError if the machine is a cluster node, but jobs run here
        write_plan(folder / f"{os.environ[PLAN_VARIABLE]}.json", wildcards.machine)
        if set(workflow.dag_settings.targets) <= {"all"} and workflow.local_exec:
            # Mark a run of the whole sweep. In such a run, a job may do the work of other jobs and show first results.
            os.environ.setdefault("ACCELBENCH_WHOLE", f".{time.time_ns()}")
    return str(folder)


def node(mem_mb, runtime):
    """Return {resource: value} of a job on the machine in its wildcards."""
    # The resources have the names that Snakemake's executor plugins for clusters use.
    asked = {
        name: lambda wildcards, name=name: getattr(CONFIG.machines[wildcards.machine], name)
        for name in configuration.REQUESTS
    }
    return {**asked, "mem_mb": mem_mb, "runtime": runtime}


# Number from which the priorities of repetitions and figures are counted down. It is lower than the priority of builds,
# which all come first. It is much higher than 0, the priority of the remaining jobs.
FIRST_REPETITION = 1000


def print_end(succeeded):
    """Print the summary of a run, unless the process that started Snakemake prints it."""
    if ending.CALLER_PRINTS not in os.environ:
        targets = workflow.dag_settings.targets
        print(ending.end(CONFIG, KERNELS, succeeded=succeeded, started=STARTED, targets=targets))


# Remove the limit on the rate of jobs. With this limit, the scheduler of Snakemake 9.27 wakes up n times a second after
# n jobs. After fifty jobs, this took a fifth of a core from the measurement.
onstart:
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    print_end(succeeded=True)


# If a failed job did not replace a page, Snakemake considers the old page up to date. Set an old modification time on
# such a page, so that the next run renders the page again.
onerror:
    for unfinished in workflow.dag.needrun_jobs():
        for page in (file for file in unfinished.output if is_flagged(file, "update") and os.path.exists(file)):
            workflow.persistence.cleanup(unfinished)
            os.utime(page, (1, 1))
    print_end(succeeded=False)
