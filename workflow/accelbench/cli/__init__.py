"""Commands of accelbench, and runs of the whole workflow."""
