//! Elementwise product of two vectors; threads share the elements. `&mut` tells the compiler that `out` does not
//! overlap x and y, as `restrict` does in C.
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::thread;

macro_rules! define_vector_multiply {
    ($name:ident, $real:ty) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(x: *const $real, y: *const $real, out: *mut $real, n: usize, threads: usize) {
            fn multiply(x: &[$real], y: &[$real], out: &mut [$real]) {
                for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                    *out = x * y;
                }
            }

            let (x, y, out) = (from_raw_parts(x, n), from_raw_parts(y, n), from_raw_parts_mut(out, n));
            if threads == 1 {
                return multiply(x, y, out);
            }
            let part = n / threads + 1;
            thread::scope(|scope| {
                for ((out, x), y) in out.chunks_mut(part).zip(x.chunks(part)).zip(y.chunks(part)) {
                    scope.spawn(move || multiply(x, y, out));
                }
            });
        }
    };
}

define_vector_multiply!(vector_multiply_float64, f64);
define_vector_multiply!(vector_multiply_float32, f32);
