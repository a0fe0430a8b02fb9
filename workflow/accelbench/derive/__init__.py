"""Derivation of implementations from a NumPy function, and their checks against this function (`accelbench try`).

A derived version is an implementation that is derived for one library. A draft is its text before the check.

The modules:

- observation: calls the function in a separate process, and records its results, changed arguments and accuracy
- source: copies the function with its helpers and imports
- normal: converts this copy to the normal form (arrays and numbers as arguments, arrays as results)
- rewriting: rewrites syntax trees for the other modules
- arguments: makes code for the arguments of a call, or captures arguments from a script
- tolerance: estimates the tolerance of results
- contestants, jax_functions: make one or more drafts for each library from the normal form, in the order of the checks
- loops: finds loops whose iterations threads can share
- writing, templates: make the text of kernel.py, of the implementations' files and of the output in the terminal
- trying: checks the drafts of each library until one is correct, and writes the kernel folder
- messages: translates compilers' errors for the user
- answer: makes the table in the terminal and the recommendation
"""
