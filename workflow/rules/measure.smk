# The journal, results/{machine}/journal/{kernel}.jsonl, is no output: Snakemake deletes outputs before a rerun and
# after a failure, and what was measured must survive both. `due` says that a kernel is to be measured once more although
# its results are there.
rule measure_kernel:
    input:
        machine="results/{machine}/machine.json",
        manifests=lambda wildcards: get_manifests(wildcards.kernel),
        # What watches the machine beside every measurement.
        references=lambda wildcards: get_manifests("peak_read"),
        sources=get_sources,
        due=get_due,
    output:
        timings="results/{machine}/timings/{kernel}.jsonl",
        metadata="results/{machine}/kernels/{kernel}.json",
    log:
        "results/{machine}/logs/measure_kernel/{kernel}.log",
    conda:
        "../../envs/base.yaml"
    # Every core, so that nothing else of this workflow, no build above all, runs beside a timing.
    threads: get_all_cores
    resources:
        **NODE,
        mem_mb=8000,
        runtime=240,
    params:
        settings=lambda wildcards: get_settings(wildcards.kernel),
        here=get_here,
        results=get_root(3),
    message:
        "Measuring {wildcards.kernel} on {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench measure {wildcards.kernel} --cores {threads} '
        "--machine {wildcards.machine} --results {params.results:q} --settings {params.settings:q} --log {log:q}"
