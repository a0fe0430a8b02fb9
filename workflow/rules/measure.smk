# A kernel is measured in repetitions, a job each, so that those of all kernels are interleaved: `priority` has the first
# of every kernel measured before the second of any. Whatever disturbs the machine for a while disturbs one repetition
# of some cases rather than all of theirs.
#
# The journals, results/{machine}/journal/{kernel}.{number}.jsonl, are no outputs: Snakemake deletes outputs before a rerun
# and after a failure, and what was measured must survive both. `due` says that a kernel is to be measured once more
# although its results are there.
rule measure_kernel:
    input:
        machine="results/{machine}/machine.json",
        manifests=lambda wildcards: get_manifests(wildcards.kernel),
        # What watches the machine beside every measurement.
        references=lambda wildcards: get_manifests("peak_read"),
        sweep=get_sweep,
        due=get_due,
    output:
        measured="results/{machine}/repetitions/{kernel}/{repetition}.json",
    log:
        "results/{machine}/logs/measure_kernel/{kernel}/{repetition}.log",
    priority: lambda wildcards: FIRST_REPETITION - int(wildcards.repetition)
    conda:
        "../../envs/base.yaml"
    # Every core, so that nothing else of this workflow, no build above all, runs beside a timing.
    threads: get_all_cores
    resources:
        **NODE,
        mem_mb=8000,
        runtime=120,
        repetitions=REPETITIONS,  # no param: another number makes no repetition anew
    params:
        sources=get_sources,
        settings=lambda wildcards: get_settings(wildcards.kernel),
        here=get_here,
        results=get_root(4),
    message:
        "Measuring {wildcards.kernel} on {wildcards.machine}, repetition {wildcards.repetition}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench measure {wildcards.kernel} --cores {threads} '
        "--repetition {wildcards.repetition} --repetitions {resources.repetitions} --machine {wildcards.machine} --results {params.results:q} "
        "--settings {params.settings:q} --log {log:q}"


rule merge_repetitions:
    input:
        machine="results/{machine}/machine.json",
        repetitions=get_repetitions,
        due=get_due,
    output:
        timings="results/{machine}/timings/{kernel}.jsonl",
        metadata="results/{machine}/kernels/{kernel}.json",
    log:
        "results/{machine}/logs/merge_repetitions/{kernel}.log",
    conda:
        "../../envs/base.yaml"
    threads: 1
    resources:
        **NODE,
        mem_mb=4000,
        runtime=20,
    params:
        package=get_package("measure/merge", "statistics"),
        settings=lambda wildcards: get_settings(wildcards.kernel),
        cores=get_measured_cores,
        results=get_root(3),
    message:
        "Merging the repetitions of {wildcards.kernel} on {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench merge {wildcards.kernel} {params.cores} '
        "--machine {wildcards.machine} --results {params.results:q} --settings {params.settings:q} --log {log:q}"
