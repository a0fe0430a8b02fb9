# Profiles of Python and Cython implementations of inside_polygon, for the target `profile` and the figure esrf-profile.
PROFILED = "python_numpy_scalars python_tuples cython_tuples cython_typed_loop cython_class_loop".split()
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
    # All cores, so that no other job of this workflow changes the times in the profile.
    threads: get_cores
    resources:
        **node(mem_mb=2000, runtime=30),
    params:
        sources=digest_profiled,
        package=digest_files(WORKFLOW / "accelbench" / name for name in ("measure/profiling.py", "worker/profiler.py")),
        settings=digest_sections("build", "kernels_path", "protocol"),
        plans=get_plans,
    message:
        "Profiling the Python and Cython implementations of inside_polygon on {wildcards.machine}"
    shell:
        job(f"profile inside_polygon {' '.join(PROFILED)}")
