// Bind the functions of nbody.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "nbody.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename type> using Matrix = nb::ndarray<type, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(nbody_nanobind, module)
{
    module.def("float64", [](Matrix<const double> position, Vector<const double> mass, double softening,
                             Matrix<double> acceleration) {
        nb::gil_scoped_release released;
        nbody_float64(position.data(), mass.data(), softening, acceleration.data(), mass.size());
    }, exact, exact, nb::arg(), exact);
    module.def("float32", [](Matrix<const float> position, Vector<const float> mass, float softening,
                             Matrix<float> acceleration) {
        nb::gil_scoped_release released;
        nbody_float32(position.data(), mass.data(), softening, acceleration.data(), mass.size());
    }, exact, exact, nb::arg(), exact);
}
