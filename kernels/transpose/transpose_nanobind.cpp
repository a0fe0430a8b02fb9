// Bind the blocked functions of transpose.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "transpose.h"
}

namespace nb = nanobind;
template <typename type> using Matrix = nb::ndarray<type, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(transpose_nanobind, module)
{
    module.def("float64", [](Matrix<const double> x, Matrix<double> out) {
        nb::gil_scoped_release released;
        transpose_blocked_float64(x.data(), out.data(), x.shape(0));
    }, exact, exact);
    module.def("float32", [](Matrix<const float> x, Matrix<float> out) {
        nb::gil_scoped_release released;
        transpose_blocked_float32(x.data(), out.data(), x.shape(0));
    }, exact, exact);
}
