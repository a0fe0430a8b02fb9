# Functions of the rules: digests that trigger reruns, and input functions.
import re

from accelbench.lectures import entries
from accelbench.model.watched import is_peak
from accelbench.store import journal


# Sources and settings trigger reruns by digests, which are parameters of rules. Files of sources are no inputs, because
# Snakemake compares the times of inputs, which may be in the future.
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
    """Return a digest of the subpackages `rooms` that affect a stage's output. "model" is always included."""
    package = WORKFLOW / "accelbench"
    found = (file for room in ("model", *rooms) for file in [package / f"{room}.py", *(package / room).rglob("*")])
    return digest_files(file for file in found if file.is_file() and "__pycache__" not in file.parts)


def digest_sections(*names):
    """Return a digest of these sections of the configuration; by default, of all."""
    return files.digest(CONFIG.model_dump(mode="json", include=set(names) or None))


@clear_errors()
def get_folder(kernel):
    """Return the KernelFolder of a kernel that the configuration or only a figure measures."""
    return EFFECTIVE[kernel].kernel if kernel in EFFECTIVE else trial.load(FOLDERS[kernel])


@cache
def get_config(kernel):
    """Return the EffectiveConfig of a kernel, chosen by the configuration or not; None if it cannot be loaded."""
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
    """Return the numbers of a kernel's repetitions. A peak has one, since cases compared with it sample it again."""
    return range(1, 2 if is_peak(wildcards.kernel) else CONFIG.protocol.repetitions.max + 1)


end_future = cache(files.end_future)


def get_machine(wildcards):
    """Return the path of a machine's description. If the run executes jobs, correct file times in the future first."""
    if not IS_MODULE and workflow.is_main_process and workflow.executor_plugin and not workflow.dryrun:
        end_future(Path("results", wildcards.machine))
        end_future(Path("reports", wildcards.machine))
    return f"results/{wildcards.machine}/machine.json"


def get_due(wildcards):
    """Return a file that is newer than a kernel's results if there is something to measure, else []."""
    if IS_MODULE:
        return []
    kept = journal.KernelJournal(Path("results", wildcards.machine), wildcards.kernel)
    if kept.is_lost(get_numbers(wildcards)):
        if workflow.executor_plugin is None or workflow.dryrun:
            return [os.path.join(os.sep, "proc", "self")]  # a file that always exists and is newer than any result
        kept.set_due(True)
    return [str(kept.due)] if kept.due.exists() else []


def get_earlier(wildcards):
    """Return the repetition to wait for: the previous one in a race, or the first if it tunes parameters for others."""
    found, number = get_config(wildcards.kernel), int(wildcards.repetition)
    tuned = found and any(i.tuned_by for i in found.kernel.implementations.values())
    earlier = number - 1 if CONFIG.protocol.repetitions.is_race else 1 if tuned and number > 1 else 0
    return f"results/{{machine}}/repetitions/{{kernel}}/{earlier}.json" if earlier else []


def digest_kernel(wildcards):
    """Return digests of the sources and settings that can change a sample, without the number of repetitions."""
    found, unused = get_config(wildcards.kernel), {"machines": True, "protocol": {"repetitions"}}
    # Which peaks are measured depends on the sizes of the other kernels.
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
    """Flag an output that Snakemake must not delete before its job. A module, which has no onerror, sets no flag."""
    return page if IS_MODULE else update(page)


def get_category(wildcards):
    """Return the heading under which `snakemake --report` lists a page, or another file beside the pages."""
    if not re.fullmatch(r"((kernels|lectures)/)?[^/]+\.html", wildcards.file):
        return "Beside the pages"
    return "Lectures" if re.match(r"lectures[./]", wildcards.file) else "Report"
