"""The command line, and whole runs of the workflow."""
