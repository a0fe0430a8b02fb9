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
    resources:
        **node(mem_mb=2000, runtime=30),
    params:
        sources=digest_build,
        settings=digest_sections("build", "kernels_path", "environments", "variables"),
        plans=get_plans,
    message:
        "Building {wildcards.kernel} with {wildcards.toolchain}"
    shell:
        # In a local run of the target `all`, the first job of a toolchain also builds for other kernels without a
        # manifest. The jobs of these kernels then only move the manifests that the first job wrote.
        'mv {output.manifest:q}"${{ACCELBENCH_WHOLE:-}}" {output.manifest:q} 2> {log:q} || '
        + job("build {wildcards.kernel} {wildcards.toolchain}")
