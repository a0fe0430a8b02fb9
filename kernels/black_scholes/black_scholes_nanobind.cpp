// Bind the functions of black_scholes.c to Python; each takes NumPy arrays of one dtype.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "black_scholes.h"
}

namespace nb = nanobind;
template <typename type> using Vector = nb::ndarray<type, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(black_scholes_nanobind, module)
{
    module.def("float64", [](Vector<const double> price, Vector<const double> strike, Vector<const double> years,
                             double rate, double volatility, Vector<double> call, Vector<double> put) {
        nb::gil_scoped_release released;
        black_scholes_float64(price.data(), strike.data(), years.data(), rate, volatility, call.data(), put.data(),
                              price.size());
    }, exact, exact, exact, nb::arg(), nb::arg(), exact, exact);
    module.def("float32", [](Vector<const float> price, Vector<const float> strike, Vector<const float> years,
                             float rate, float volatility, Vector<float> call, Vector<float> put) {
        nb::gil_scoped_release released;
        black_scholes_float32(price.data(), strike.data(), years.data(), rate, volatility, call.data(), put.data(),
                              price.size());
    }, exact, exact, exact, nb::arg(), nb::arg(), exact, exact);
}
