"""Published folders and bundles, which contain all results of a machine to commit or to send."""
