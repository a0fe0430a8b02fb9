"""`accelbench try` derives implementations from a NumPy function and checks them against this function.

A contestant is an implementation that is derived for one library. A draft is a contestant's text before the check.

The modules, in the order in which they process a function:

- observation: calls the function in a separate process, and records its results, changed arguments and accuracy
- source: copies the function with its helpers and imports
- normal: converts this copy to the normal form (arrays and numbers as arguments, arrays as results)
- arguments: makes code for the arguments of a call, or captures arguments from a script
- tolerance: estimates the tolerance of results
- contestants, jax_functions: make one or more drafts for each library from the normal form, the simplest first
- writing, templates: make the text of kernel.py, of the implementations' files and of the answer
- trying: checks the drafts, and writes the kernel folder
- messages: translates compilers' errors for the user
- answer: makes the table in the terminal and the recommendation
"""
