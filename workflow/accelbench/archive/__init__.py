"""A whole machine's results to hand on: published folders, and bundles."""
