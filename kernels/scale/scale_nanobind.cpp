// Bind the functions of scale.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "scale.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(scale_nanobind, module)
{
    module.def("float64", [](double factor, Vector<const double> x, Vector<double> y) {
        nb::gil_scoped_release released;
        scale_float64(factor, x.data(), y.data(), x.size());
    }, nb::arg(), exact, exact);
    module.def("float32", [](float factor, Vector<const float> x, Vector<float> y) {
        nb::gil_scoped_release released;
        scale_float32(factor, x.data(), y.data(), x.size());
    }, nb::arg(), exact, exact);
}
