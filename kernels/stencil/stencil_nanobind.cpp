// The functions of stencil.c, for NumPy arrays of one dtype each.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "stencil.h"
}

namespace nb = nanobind;
template <typename type> using Grid = nb::ndarray<type, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // or else nanobind passes a copy where the dtype differs

NB_MODULE(stencil_nanobind, module)
{
    module.def("float64", [](Grid<const double> x, Grid<double> out) {
        nb::gil_scoped_release released;
        stencil_float64(x.data(), out.data(), x.shape(0));
    }, exact, exact);
    module.def("float32", [](Grid<const float> x, Grid<float> out) {
        nb::gil_scoped_release released;
        stencil_float32(x.data(), out.data(), x.shape(0));
    }, exact, exact);
}
