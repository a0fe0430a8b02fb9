//! Random points by SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014):
//! the k-th number is a hash of the counter k. So lanes and threads can compute the points in any order.
use std::thread;

fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
    z ^ z >> 31
}

/// Return the k-th number of the sequence that starts at the hash of the seed.
fn random_bits(start: u64, k: u64) -> u64 {
    mix(start.wrapping_add(k.wrapping_mul(0x9e3779b97f4a7c15)))
}

// idea: a point is a hash of its index
fn inside_float64(start: u64, i: u64) -> bool {
    // 52 bits in the fraction of a number in [1, 2): unlike a conversion, this vectorises on every processor
    let unit = |bits: u64| f64::from_bits(bits >> 12 | 0x3ff0000000000000) - 1.0;
    let (x, y) = (unit(random_bits(start, 2 * i)), unit(random_bits(start, 2 * i + 1)));
    x * x + y * y < 1.0
}
// end of idea

fn inside_float32(start: u64, i: u64) -> bool {
    let unit = |bits: u32| (bits >> 8) as i32 as f32 / 16777216.0;
    let bits = random_bits(start, i);
    let (x, y) = (unit((bits >> 32) as u32), unit(bits as u32));
    x * x + y * y < 1.0
}

macro_rules! define_monte_carlo_pi {
    ($name:ident, $inside:ident) => {
        #[no_mangle]
        pub extern "C" fn $name(n: u64, seed: u64, threads: u64) -> f64 {
            let start = mix(seed);
            let count = |first: u64, end: u64| (first..end).map(|i| u64::from($inside(start, i))).sum::<u64>();
            if n == 0 {
                return 0.0;
            }
            if threads == 1 {
                return 4.0 * count(0, n) as f64 / n as f64;
            }
            let hits: u64 = thread::scope(|scope| {
                let part = |thread| scope.spawn(move || count(n * thread / threads, n * (thread + 1) / threads));
                let parts: Vec<_> = (0..threads).map(part).collect();
                parts.into_iter().map(|part| part.join().unwrap()).sum()
            });
            4.0 * hits as f64 / n as f64
        }
    };
}

define_monte_carlo_pi!(monte_carlo_pi_float64, inside_float64);
define_monte_carlo_pi!(monte_carlo_pi_float32, inside_float32);
