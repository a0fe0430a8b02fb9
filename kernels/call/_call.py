# pythran export add_one(float64)
def add_one(x):
    return x + 1
