rule build_kernel:
    input:
        machine="results/{machine}/machine.json",
    output:
        manifest="results/{machine}/build/{kernel}/{toolchain}.json",
    log:
        "results/{machine}/logs/build_kernel/{kernel}/{toolchain}.log",
    priority: 2000
    conda:
        "../../envs/base.yaml"
    threads: 1
    resources:
        **NODE,
        mem_mb=2000,
        runtime=30,
    params:
        sources=get_build_sources,
        settings=get_sections("build", "kernels_path", "environments", "variables"),
        results=get_root(4),
    message:
        "Building {wildcards.kernel} with {wildcards.toolchain}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench build {wildcards.kernel} {wildcards.toolchain} '
        "--machine {wildcards.machine} --results {params.results:q} --settings {params.settings:q} --log {log:q}"
