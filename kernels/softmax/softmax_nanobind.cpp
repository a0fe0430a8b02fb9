// Bind the functions of softmax.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "softmax.h"
}

namespace nb = nanobind;
template <typename type> using Matrix = nb::ndarray<type, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(softmax_nanobind, module)
{
    module.def("float64", [](Matrix<const double> x, Matrix<double> out) {
        nb::gil_scoped_release released;
        softmax_float64(x.data(), out.data(), x.shape(0), x.shape(1));
    }, exact, exact);
    module.def("float32", [](Matrix<const float> x, Matrix<float> out) {
        nb::gil_scoped_release released;
        softmax_float32(x.data(), out.data(), x.shape(0), x.shape(1));
    }, exact, exact);
}
