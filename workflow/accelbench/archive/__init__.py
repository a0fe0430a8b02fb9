"""Published folders and bundles: all results of a machine, to commit to a repository or to send."""
