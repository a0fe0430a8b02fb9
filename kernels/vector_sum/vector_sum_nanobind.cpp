// Bind the functions of vector_sum.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "vector_sum.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(vector_sum_nanobind, module)
{
    module.def("float64", [](Vector<const double> x) {
        nb::gil_scoped_release released;
        return vector_sum_float64(x.data(), x.size());
    }, exact);
    module.def("float32", [](Vector<const float> x) {
        nb::gil_scoped_release released;
        return vector_sum_float32(x.data(), x.size());
    }, exact);
}
