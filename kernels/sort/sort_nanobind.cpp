// Bind the functions of sort.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "sort.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(sort_nanobind, module)
{
    module.def("float64", [](Vector<const double> x, Vector<double> out, Vector<double> scratch) {
        nb::gil_scoped_release released;
        sort_float64(x.data(), out.data(), scratch.data(), x.size());
    }, exact, exact, exact);
    module.def("float32", [](Vector<const float> x, Vector<float> out, Vector<float> scratch) {
        nb::gil_scoped_release released;
        sort_float32(x.data(), out.data(), scratch.data(), x.size());
    }, exact, exact, exact);
}
