"""`accelbench try`: implementations that are derived from one NumPy function and checked against it.

The modules, in the order in which they process a function:

- observation: calls the function in a separate process, and records results, changed arguments and accuracy
- source, normal: the function with its helpers and imports; its normal form, from which all contestants are derived
- arguments: code for the arguments of a call, or arguments that are captured from a script
- tolerance: the tolerance of results
- contestants, jax_functions: drafts of each library's contestant, simplest first
- writing, templates: kernel.py, the files of implementations and the answer, as text
- trying: the check of drafts; the kernel folder
- messages: compilers' errors, translated for the user
- answer: the table in the terminal and the recommendation
"""
