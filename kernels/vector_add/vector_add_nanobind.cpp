// Bind the functions of vector_add.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "vector_add.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(vector_add_nanobind, module)
{
    module.def("float64", [](Vector<const double> x, Vector<const double> y, Vector<double> out) {
        nb::gil_scoped_release released;
        vector_add_float64(x.data(), y.data(), out.data(), x.size());
    }, exact, exact, exact);
    module.def("float32", [](Vector<const float> x, Vector<const float> y, Vector<float> out) {
        nb::gil_scoped_release released;
        vector_add_float32(x.data(), y.data(), out.data(), x.size());
    }, exact, exact, exact);
}
