// Bind the functions of mandelbrot.c to Python; each takes coordinates of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "mandelbrot.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename type> using Matrix = nb::ndarray<type, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(mandelbrot_nanobind, module)
{
    module.def("float64", [](Vector<const double> x, Vector<const double> y, int32_t limit, Matrix<int32_t> counts) {
        nb::gil_scoped_release released;
        mandelbrot_float64(x.data(), y.data(), limit, counts.data(), x.size());
    }, exact, exact, nb::arg(), exact);
    module.def("float32", [](Vector<const float> x, Vector<const float> y, int32_t limit, Matrix<int32_t> counts) {
        nb::gil_scoped_release released;
        mandelbrot_float32(x.data(), y.data(), limit, counts.data(), x.size());
    }, exact, exact, nb::arg(), exact);
}
