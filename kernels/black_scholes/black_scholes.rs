//! Black-Scholes prices of calls and puts; threads share the options.
//! Rust's standard library has no erfc, so this code calls the C library's.
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::thread;

#[link(name = "m")]
extern "C" {
    fn erfc(x: f64) -> f64;
    fn erfcf(x: f32) -> f32;
}

macro_rules! define_black_scholes {
    ($name:ident, $real:ident, $erfc:ident) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name(
            price: *const $real, strike: *const $real, years: *const $real, rate: $real, volatility: $real,
            call: *mut $real, put: *mut $real, n: usize, threads: usize,
        ) {
            fn normal(d: $real) -> $real {
                unsafe { $erfc(-d * std::$real::consts::FRAC_1_SQRT_2) / 2.0 }
            }

            let drift = rate + volatility * volatility / 2.0;
            let evaluate = |price: &[$real], strike: &[$real], years: &[$real], call: &mut [$real], put: &mut [$real]| {
                for i in 0..price.len() {
                    let spread = volatility * years[i].sqrt();
                    let d1 = ((price[i] / strike[i]).ln() + drift * years[i]) / spread;
                    let present = strike[i] * (-rate * years[i]).exp();
                    call[i] = price[i] * normal(d1) - present * normal(d1 - spread);
                    put[i] = call[i] - price[i] + present;
                }
            };

            let [price, strike, years] = [price, strike, years].map(|numbers| from_raw_parts(numbers, n));
            let [call, put] = [call, put].map(|numbers| from_raw_parts_mut(numbers, n));
            if threads == 1 {
                return evaluate(price, strike, years, call, put);
            }
            let part = n / threads + 1;
            let options = price.chunks(part).zip(strike.chunks(part)).zip(years.chunks(part));
            let prices = call.chunks_mut(part).zip(put.chunks_mut(part));
            thread::scope(|scope| {
                for (((price, strike), years), (call, put)) in options.zip(prices) {
                    scope.spawn(move || evaluate(price, strike, years, call, put));
                }
            });
        }
    };
}

define_black_scholes!(black_scholes_float64, f64, erfc);
define_black_scholes!(black_scholes_float32, f32, erfcf);
