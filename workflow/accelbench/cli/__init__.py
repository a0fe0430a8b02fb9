"""Command line of accelbench, and runs of the whole workflow."""
