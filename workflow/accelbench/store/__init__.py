"""Result files: the only place that turns bytes into the model and back."""
