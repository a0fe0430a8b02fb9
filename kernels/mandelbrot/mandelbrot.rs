//! Count the steps z <- z**2 + c, from z = 0, until |z| exceeds 2, for n rows of n points c. A thread that has finished
//! a row takes the next one, since some rows take a hundred times as long as others.
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::Mutex;
use std::thread;

macro_rules! define_mandelbrot {
    ($name:ident, $real:ty) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(
            x: *const $real, y: *const $real, limit: i32, counts: *mut i32, n: usize, threads: usize,
        ) {
            fn steps(a: $real, b: $real, limit: i32) -> i32 {
                let (mut re, mut im, mut step) = (0.0, 0.0, 0);
                while step < limit && re * re + im * im <= 4.0 {
                    (re, im) = (re * re - im * im + a, 2.0 * re * im + b);
                    step += 1;
                }
                step
            }

            let (x, y, counts) = (from_raw_parts(x, n), from_raw_parts(y, n), from_raw_parts_mut(counts, n * n));
            let rows = Mutex::new(counts.chunks_mut(n.max(1)).zip(y));
            let next_row = || rows.lock().unwrap().next();
            let work = || {
                while let Some((row, &y)) = next_row() {
                    row.iter_mut().zip(x).for_each(|(count, &x)| *count = steps(x, y, limit));
                }
            };
            thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(work);
                }
                work();
            });
        }
    };
}

define_mandelbrot!(mandelbrot_float64, f64);
define_mandelbrot!(mandelbrot_float32, f32);
