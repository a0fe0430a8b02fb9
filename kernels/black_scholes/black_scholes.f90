! Black-Scholes prices of calls and puts; with -fopenmp, threads share the options.
subroutine black_scholes_float64(price, strike, years, rate, volatility, call, put, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: price(n), strike(n), years(n), rate, volatility
    real(8), intent(inout) :: call(n), put(n)
    real(8), parameter :: root = sqrt(0.5_8)
    integer(8) :: i
    real(8) :: spread, d1, present
    !f2py threadsafe
    !$omp parallel do simd private(spread, d1, present)
    do i = 1, n
        spread = volatility * sqrt(years(i))
        d1 = (log(price(i) / strike(i)) + (rate + volatility * volatility / 2) * years(i)) / spread
        present = strike(i) * exp(-rate * years(i))
        call(i) = price(i) * erfc(-d1 * root) / 2 - present * erfc((spread - d1) * root) / 2
        put(i) = call(i) - price(i) + present
    end do
end subroutine

subroutine black_scholes_float32(price, strike, years, rate, volatility, call, put, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: price(n), strike(n), years(n), rate, volatility
    real(4), intent(inout) :: call(n), put(n)
    real(4), parameter :: root = sqrt(0.5_4)
    integer(8) :: i
    real(4) :: spread, d1, present
    !f2py threadsafe
    !$omp parallel do simd private(spread, d1, present)
    do i = 1, n
        spread = volatility * sqrt(years(i))
        d1 = (log(price(i) / strike(i)) + (rate + volatility * volatility / 2) * years(i)) / spread
        present = strike(i) * exp(-rate * years(i))
        call(i) = price(i) * erfc(-d1 * root) / 2 - present * erfc((spread - d1) * root) / 2
        put(i) = call(i) - price(i) + present
    end do
end subroutine
