"""Machines beside each other, and a collection of their published folders.

beside  what each machine takes for the problems that several have measured, by where the data are
page    the page of all machines, machines.html
rules   what results must be to stand in a collection, and their grade
collection  folders read, submitted, and rendered again
"""
