# Each repetition of a kernel is a job. The priorities let Snakemake measure every kernel once before it measures any
# kernel again. So a disturbance of some minutes affects one repetition of some kernels, and not all repetitions of one
# kernel. Kernels that measure peaks come last.
#
# The journals, results/{machine}/journal/{kernel}.{number}.jsonl, are not declared as outputs, since Snakemake deletes
# outputs before a rerun and after a failure. The file `due` is an input. If a case must be measured again, this file is
# newer than the outputs, so that Snakemake runs the job although its outputs exist.
rule measure_kernel:
    input:
        machine=get_machine,
        manifests=get_manifests,
        earlier=get_earlier,
        due=get_due,
    output:
        measured="results/{machine}/repetitions/{kernel}/{repetition}.json",
    log:
        "results/{machine}/logs/measure_kernel/{kernel}/{repetition}.log",
    priority: lambda wildcards: FIRST_REPETITION - (900 if is_peak(wildcards.kernel) else int(wildcards.repetition))
    conda:
        "../../envs/base.yaml"
    # All cores, so that no other job of this workflow, such as a build, runs during a measurement.
    threads: get_cores
    resources:
        **node(mem_mb=8000, runtime=120),
    params:
        digests=digest_kernel,
        here=get_here,
        plans=get_plans,
    message:
        "Measuring {wildcards.kernel} on {wildcards.machine}, repetition {wildcards.repetition}"
    shell:
        # In a local run of the target `all`, the first job of a repetition also measures other kernels whose builds and
        # previous repetitions exist. The jobs of these kernels then only move the files that the first job wrote.
        'mv {output.measured:q}"${{ACCELBENCH_WHOLE:-}}" {output.measured:q} 2> {log:q} || '
        + job("measure {wildcards.kernel} --repetition {wildcards.repetition}")


rule merge_repetitions:
    input:
        machine="results/{machine}/machine.json",
        repetitions=lambda wildcards: expand(
            "results/{{machine}}/repetitions/{{kernel}}/{number}.json", number=get_numbers(wildcards)
        ),
        due=get_due,
    output:
        timings="results/{machine}/timings/{kernel}.jsonl",
        metadata="results/{machine}/kernels/{kernel}.json",
    log:
        "results/{machine}/logs/merge_repetitions/{kernel}.log",
    conda:
        "../../envs/base.yaml"
    resources:
        **node(mem_mb=4000, runtime=20),
    params:
        package=digest_package("measure/merge", "statistics"),
        digests=digest_kernel,
        here=get_here,
        plans=get_plans,
    message:
        "Merging the repetitions of {wildcards.kernel} on {wildcards.machine}"
    shell:
        job("merge {wildcards.kernel}")
