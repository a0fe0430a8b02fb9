"""Published folders and bundles: all results of a machine, to commit or to send."""
