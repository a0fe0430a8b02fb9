# Where Python spends its time, in the kernel whose lecture begins with profiling it. Only on request: the target `profile`.
PROFILED = "inside_polygon"
PROFILED_IMPLEMENTATIONS = [
    "python_numpy_scalars",
    "python_tuples",
    "cython_tuples",
    "cython_typed_loop",
    "cython_class_loop",
]


rule profile:
    input:
        expand(
            "results/{machine}/profile/{kernel}/{implementation}.json",
            machine=MACHINES,
            kernel=PROFILED,
            implementation=PROFILED_IMPLEMENTATIONS,
        ),


rule profile_kernel:
    input:
        machine="results/{machine}/machine.json",
        # Of every build that has a page of Cython's.
        manifests=[
            manifest
            for kernel in KERNELS
            for manifest in get_manifests(kernel)
            if Path(manifest).name == "cython.json"
        ],
        sources=lambda wildcards: [
            own(file)
            for folder in [select.load(CONFIG, PROFILED)]
            for file in sorted(
                {
                    folder.file,
                    *folder.native_sources(),
                    *(folder.implementations[name].path for name in PROFILED_IMPLEMENTATIONS),
                }
            )
        ],
        package=[own(WORKFLOW / "accelbench" / name) for name in ("measure/profiling.py", "worker/profiler.py")],
    output:
        tables=[f"results/{{machine}}/profile/{PROFILED}/{name}.json" for name in PROFILED_IMPLEMENTATIONS],
        texts=[f"results/{{machine}}/profile/{PROFILED}/{name}.txt" for name in PROFILED_IMPLEMENTATIONS],
        flames=[
            report(
                f"results/{{machine}}/profile/{PROFILED}/{name}.html",
                category="Profiles",
                caption="../report/profiles.rst",
                labels={"machine": "{machine}", "implementation": name},
            )
            for name in PROFILED_IMPLEMENTATIONS
        ],
        annotations=directory("results/{machine}/annotations"),
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
        settings=get_sections("build", "kernels_path", "protocol"),
        results=get_root(4),
        kernel=PROFILED,
        implementations=" ".join(PROFILED_IMPLEMENTATIONS),
    message:
        "Profiling the Python implementations of {params.kernel} on {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench profile {params.kernel} {params.implementations} '
        "--machine {wildcards.machine} --results {params.results:q} --settings {params.settings:q} --log {log:q}"
