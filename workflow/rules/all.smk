# All rules, for the Snakefile in the top folder and for workflow/Snakefile, which the workflow catalogue requires.
from snakemake.utils import min_version

min_version("9.27")


report: "../report/workflow.rst"


include: "common.smk"
include: "functions.smk"
include: "machine.smk"
include: "build.smk"
include: "measure.smk"
include: "tables.smk"
include: "report.smk"
include: "profile.smk"
include: "lecture.smk"


# The targets include the results, so that Snakemake makes missing results again even if the report exists.
TARGETS = [
    *expand("reports/{machine}/index.html", machine=MACHINES),
    *expand("results/{machine}/machine.json", machine=MACHINES),
    *expand("results/{machine}/tables/timings.parquet", machine=MACHINES),
    *expand("results/{machine}/tables/{table}.csv", machine=MACHINES, table=TABLES),
    *expand("results/{machine}/timings/{kernel}.jsonl", machine=MACHINES, kernel=KERNELS),
    *expand("results/{machine}/kernels/{kernel}.json", machine=MACHINES, kernel=KERNELS),
]
