// Bind the functions of inside_polygon.c to Python.
#include <cstdint>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

extern "C" {
#include "inside_polygon.h"
}

namespace nb = nanobind;
using Polygon = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Mask = nb::ndarray<uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
const auto exact = nb::arg().noconvert(); // reject other dtypes, which nanobind would convert by a copy

NB_MODULE(inside_polygon_nanobind, module)
{
    module.def("inside_polygon", [](Polygon polygon, Mask mask) {
        nb::gil_scoped_release released;
        inside_polygon_int32(polygon.data(), polygon.shape(0), mask.data(), mask.shape(0), mask.shape(1));
    }, exact, exact);
    module.def("inside_polygon_scanline", [](Polygon polygon, Mask mask) {
        nb::gil_scoped_release released;
        inside_polygon_scanline_int32(polygon.data(), polygon.shape(0), mask.data(), mask.shape(0), mask.shape(1));
    }, exact, exact);
}
