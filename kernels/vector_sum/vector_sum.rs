//! Sum of a vector in 32 partial sums. Rust keeps the order of additions and has no -ffast-math, so the partial sums
//! are written out. The compiler puts them into SIMD lanes. Each thread adds up a part.
use std::slice::from_raw_parts;
use std::thread;

const LANES: usize = 32;

macro_rules! define_vector_sum {
    ($name:ident, $real:ty) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(x: *const $real, n: usize, threads: usize) -> $real {
            /* idea: one partial sum for each lane */
            fn add_up(x: &[$real]) -> $real {
                let blocks = x.chunks_exact(LANES);
                let rest: $real = blocks.remainder().iter().sum();
                let mut sums = [0.0; LANES];
                for block in blocks {
                    for (sum, x) in sums.iter_mut().zip(block) {
                        *sum += x;
                    }
                }
                sums.iter().sum::<$real>() + rest
            }
            /* end of idea */

            let x = from_raw_parts(x, n);
            if threads == 1 {
                return add_up(x);
            }
            let part = n / threads + 1;
            thread::scope(|scope| {
                let sums: Vec<_> = x.chunks(part).map(|x| scope.spawn(move || add_up(x))).collect();
                sums.into_iter().map(|sum| sum.join().unwrap()).sum()
            })
        }
    };
}

define_vector_sum!(vector_sum_float64, f64);
define_vector_sum!(vector_sum_float32, f32);
