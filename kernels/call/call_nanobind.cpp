// Bind the function of call.c to Python.
#include <nanobind/nanobind.h>

extern "C" {
#include "call.h"
}

NB_MODULE(call_nanobind, module)
{
    module.def("add_one", call_float64);
}
