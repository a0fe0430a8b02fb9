// Bind the functions of saxpy.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "saxpy.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(saxpy_nanobind, module)
{
    module.def("float64", [](double a, Vector<const double> x, Vector<const double> y, Vector<double> out) {
        nb::gil_scoped_release released;
        saxpy_float64(a, x.data(), y.data(), out.data(), x.size());
    }, nb::arg(), exact, exact, exact);
    module.def("float32", [](float a, Vector<const float> x, Vector<const float> y, Vector<float> out) {
        nb::gil_scoped_release released;
        saxpy_float32(a, x.data(), y.data(), out.data(), x.size());
    }, nb::arg(), exact, exact, exact);
}
