// Bind the functions of histogram.c to Python; each takes numbers of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "histogram.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(histogram_nanobind, module)
{
    module.def("float64", [](Vector<const double> x, Vector<int32_t> counts) {
        nb::gil_scoped_release released;
        histogram_float64(x.data(), counts.data(), x.size(), counts.size());
    }, exact, exact);
    module.def("float32", [](Vector<const float> x, Vector<int32_t> counts) {
        nb::gil_scoped_release released;
        histogram_float32(x.data(), counts.data(), x.size(), counts.size());
    }, exact, exact);
}
