# Where Python spends its time in the kernel whose lecture begins with profiling it, for the target `profile` and the
# figure esrf-profile.
PROFILED = [
    "python_numpy_scalars",
    "python_tuples",
    "cython_tuples",
    "cython_typed_loop",
    "cython_class_loop",
]
PROFILES = [f"results/{{machine}}/profile/inside_polygon/{name}.json" for name in PROFILED]


rule profile:
    input:
        expand(PROFILES, machine=MACHINES),


rule profile_kernel:
    input:
        machine="results/{machine}/machine.json",
    output:
        PROFILES,
    log:
        "results/{machine}/logs/profile_kernel.log",
    conda:
        "../../envs/base.yaml"
    # Every core: times in a profile are times, too.
    threads: get_all_cores
    resources:
        **NODE,
        mem_mb=2000,
        runtime=30,
    params:
        sources=get_profiled_sources,
        package=get_digest(WORKFLOW / "accelbench" / name for name in ("measure/profiling.py", "worker/profiler.py")),
        settings=get_sections("build", "kernels_path", "protocol"),
        results=get_root(4),
        implementations=" ".join(PROFILED),
    message:
        "Profiling the Python implementations of inside_polygon on {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench profile inside_polygon {params.implementations} '
        "--machine {wildcards.machine} --results {params.results:q} --settings {params.settings:q} --log {log:q}"
