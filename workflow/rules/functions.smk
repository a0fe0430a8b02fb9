# Functions of the rules: digests that trigger reruns, and input functions.
import re

from accelbench.lectures import entries
from accelbench.model.watched import is_peak
from accelbench.store import journal


# Rules have digests of sources and settings as parameters, so that a change triggers a rerun. Source files are no
# inputs, because Snakemake compares the modification times of inputs, which may be in the future.
@cache
def digest_file(path):
    """Return a digest of a file's name and content."""
    try:
        return files.digest(path.name, path.read_bytes())
    except OSError as error:  # the stage that reads the file reports the error
        return error.strerror


def digest_files(paths):
    """Return a digest of the names and contents of files."""
    return files.digest(*map(digest_file, sorted(paths)))


def digest_package(*rooms):
    """Return a digest of the files in the subpackages or modules `rooms` and in "model"."""
    package = WORKFLOW / "accelbench"
    found = (file for room in ("model", *rooms) for file in [package / f"{room}.py", *(package / room).rglob("*")])
    return digest_files(file for file in found if file.is_file() and "__pycache__" not in file.parts)


def digest_sections(*names):
    """Return a digest of the sections `names` of the configuration, by default of all sections."""
    return files.digest(CONFIG.model_dump(mode="json", include=set(names) or None))


@clear_errors()
def get_folder(kernel):
    """Return the KernelFolder of a kernel, even if only a lecture's figure measures the kernel."""
    return EFFECTIVE[kernel].kernel if kernel in EFFECTIVE else trial.load(FOLDERS[kernel])


@cache
def get_config(kernel):
    """Return the EffectiveConfig of a kernel, even if the configuration does not choose the kernel."""
    # Return None if the kernel cannot be loaded.
    if kernel in BROKEN:
        return None
    return EFFECTIVE.get(kernel) or select.EffectiveConfig.of(CONFIG, get_folder(kernel))


def get_manifests(wildcards):
    """Return the build manifests that a kernel needs, and those of peak_read, the kernel that monitors the machine."""
    needed = [*filter(None, [get_config(wildcards.kernel), EFFECTIVE.get("peak_read")])]
    built = {(c.kernel.name, name) for c in needed for name in toolchains.needed(c.kernel, c.implementations)}
    return [f"results/{{machine}}/build/{kernel}/{toolchain}.json" for kernel, toolchain in sorted(built)]


def digest_build(wildcards):
    """Return a digest of the files that can change what a toolchain builds for a kernel."""
    folder, toolchain = get_folder(wildcards.kernel), toolchains.modules()[wildcards.toolchain]
    users = {i.path for i in folder.implementations.values() if i.toolchain == wildcards.toolchain and not i.problem}
    return digest_files({*users, Path(toolchain.__file__), *folder.native_sources()})


def get_numbers(wildcards):
    """Return the numbers of a kernel's repetitions."""
    # A kernel that measures a peak has one repetition, since the repetitions of other kernels sample the peak again.
    return range(1, 2 if is_peak(wildcards.kernel) else CONFIG.protocol.repetitions.max + 1)


end_future = cache(files.end_future)


def get_machine(wildcards):
    """Return the path of a machine's description. If this run executes jobs, first correct file times in the future."""
    if not IS_MODULE and workflow.is_main_process and workflow.executor_plugin and not workflow.dryrun:
        end_future(Path("results", wildcards.machine))
        end_future(Path("reports", wildcards.machine))
    return f"results/{wildcards.machine}/machine.json"


def get_due(wildcards):
    """Return [path of a kernel's file `due`], or [] if there is no such file. Write the file if a journal is lost."""
    # If a case must be measured again, this file is newer than the kernel's results, so that Snakemake runs the job. A
    # run without jobs must not write the file. If a journal is lost, such a run gets another path, which is always new.
    if IS_MODULE:
        return []
    kept = journal.KernelJournal(Path("results", wildcards.machine), wildcards.kernel)
    if kept.is_lost(get_numbers(wildcards)):
        if workflow.executor_plugin is None or workflow.dryrun:
            return [os.path.join(os.sep, "proc", "self")]  # always exists, and is newer than all results
        kept.set_due(True)
    return [str(kept.due)] if kept.due.exists() else []


def get_earlier(wildcards):
    """Return the path of the repetition that must be measured before this repetition, or [] if there is none."""
    # If cases may stop before the last repetition, each repetition waits for the previous repetition. Otherwise, if the
    # kernel has tuned implementations, all repetitions wait for the first repetition, which tunes the parameters.
    found, number = get_config(wildcards.kernel), int(wildcards.repetition)
    tuned = found and any(i.tuned_by for i in found.kernel.implementations.values())
    earlier = number - 1 if CONFIG.protocol.repetitions.is_race else 1 if tuned and number > 1 else 0
    return f"results/{{machine}}/repetitions/{{kernel}}/{earlier}.json" if earlier else []


def digest_kernel(wildcards):
    """Return digests of the sources and settings that can change a sample, or None if the kernel cannot be loaded."""
    found, unused = get_config(wildcards.kernel), {"machines": True, "protocol": {"repetitions"}}
    # All settings except `machines` and the number of repetitions can change a sample. For a peak, the settings of all
    # kernels count, since the sizes of the other kernels determine which peaks are measured.
    config = found and (found.whole if is_peak(wildcards.kernel) else found.config)
    return found and [digest_files(found.sources()), files.digest(config.model_dump(mode="json", exclude=unused))]


@clear_errors()
def get_figures():
    """Return the ids of the figures, in the order of their entries."""
    return list(entries.read())


@cache
@clear_errors()
def get_parts(figure):
    """Return an EffectiveConfig for each part of a figure that can be measured here."""
    entry = entries.find(figure)
    needs.check([entry], LECTURES)
    return [need.config for need in needs.of(entry, LECTURES) if need.config is not None]


def digest_figure(wildcards):
    """Return digests of the sources and settings that can change what a figure measures."""
    parts = get_parts(wildcards.figure)
    sources = digest_files({file for part in parts for file in part.sources()})
    return [sources, files.digest([part.config.model_dump(mode="json") for part in parts])]


def digest_profiled(wildcards):
    """Return a digest of the files that can change the profiles."""
    folder = get_folder("inside_polygon")
    paths = (folder.implementations[name].path for name in PROFILED)
    return digest_files({folder.file, *folder.native_sources(), *paths})


def keep_until_replaced(page):
    """Flag a page that is an output, so that Snakemake does not delete the page before the job that writes it."""
    # Pages of a module get no flag: a module lacks the handler `onerror`, which sets an old time on pages not replaced.
    return page if IS_MODULE else update(page)


def get_category(wildcards):
    """Return the heading under which `snakemake --report` lists a file in the folder of the pages."""
    if not re.fullmatch(r"((kernels|lectures)/)?[^/]+\.html", wildcards.file):
        return "Beside the pages"
    return "Lectures" if re.match(r"lectures[./]", wildcards.file) else "Report"
