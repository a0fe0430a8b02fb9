"""`python -m accelbench`: the command line, and what every rule of the workflow calls."""

from accelbench.cli.commands import app

if __name__ == "__main__":
    app(prog_name="python -m accelbench")
