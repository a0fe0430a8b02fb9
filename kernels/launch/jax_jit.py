"""A compiled copy of the one element: results are new arrays, so that there is no doing nothing."""

import jax
import jax.numpy as jnp

run = jax.jit(jnp.copy)
