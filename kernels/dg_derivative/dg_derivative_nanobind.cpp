// The functions of dg_derivative.c, for NumPy arrays of one dtype each.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "dg_derivative.h"
}

namespace nb = nanobind;
template <typename type> using Matrix = nb::ndarray<type, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename type> using Matrices = nb::ndarray<type, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // or else nanobind passes a copy where the dtype differs

NB_MODULE(dg_derivative_nanobind, module)
{
    module.def("float64", [](Matrices<const double> matrices, Matrix<const double> u, Matrices<const double> factors,
                             Matrices<double> out) {
        nb::gil_scoped_release released;
        dg_derivative_float64(matrices.data(), u.data(), factors.data(), out.data(), u.shape(0), u.shape(1));
    }, exact, exact, exact, exact);
    module.def("float32", [](Matrices<const float> matrices, Matrix<const float> u, Matrices<const float> factors,
                             Matrices<float> out) {
        nb::gil_scoped_release released;
        dg_derivative_float32(matrices.data(), u.data(), factors.data(), out.data(), u.shape(0), u.shape(1));
    }, exact, exact, exact, exact);
}
