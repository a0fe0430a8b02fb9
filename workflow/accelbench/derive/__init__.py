"""`accelbench try`: implementations that are derived from one NumPy function and checked against it.

The modules, in the order in which a function passes through them:

- asking, observation: a process of its own calls the function, and says what it returns, changes and how exact it is
- source, normal: the function with what it needs; its normal form, which all contestants start from
- arguments: Python that makes the arguments of a call, or the arguments that a script calls it with
- tolerance: how far a right result may be off
- numba_functions and the like: a module a library, with the drafts to try for its contestants, the plainest first
- writing: kernel.py and the files of implementations, as text
- trying: whether a draft computes the same; the kernel folder
- messages: what compilers say, in a user's words
- answer: the table in the terminal and the last line
"""
