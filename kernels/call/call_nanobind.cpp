// The function of call.c as Python's.
#include <nanobind/nanobind.h>

extern "C" {
#include "call.h"
}

NB_MODULE(call_nanobind, module)
{
    module.def("add_one", call_float64);
}
