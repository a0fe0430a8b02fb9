"""Archives of all results of a machine: a published folder to commit, and a bundle (zip file) to send."""
