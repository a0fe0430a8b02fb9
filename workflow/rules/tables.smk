# Names of the tables: the names of the modules in analysis/tables, which are not imported here
TABLES = sorted(path.stem for path in (WORKFLOW / "accelbench/analysis/tables").glob("[!_]*.py"))


rule make_tables:
    input:
        machine="results/{machine}/machine.json",
        timings=expand("results/{{machine}}/timings/{kernel}.jsonl", kernel=KERNELS),
        kernels=expand("results/{{machine}}/kernels/{kernel}.json", kernel=KERNELS),
    output:
        parquet="results/{machine}/tables/timings.parquet",
        csv=[
            report(
                f"results/{{machine}}/tables/{table}.csv",
                category="Tables",
                caption="../report/tables.rst",
                labels={"machine": "{machine}", "table": table},
            )
            for table in TABLES
        ],
    log:
        "results/{machine}/logs/make_tables.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        package=digest_package("analysis", "export", "statistics", "store"),
        plans=get_plans,
    message:
        "Making the tables of {wildcards.machine}"
    shell:
        job("tables")
