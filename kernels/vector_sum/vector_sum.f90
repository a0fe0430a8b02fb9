! Sum of a vector. Without flags, the additions keep their order. With -ffast-math or -fopenmp, the compiler may use
! SIMD lanes. With -fopenmp, each thread adds up a part.
function vector_sum_float64(x, n) result(total)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    integer(8) :: i
    !f2py threadsafe
    total = 0
    !$omp parallel do simd reduction(+ : total)
    do i = 1, n
        total = total + x(i)
    end do
end function

function vector_sum_float32(x, n) result(total)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: x(n)
    real(4) :: total
    integer(8) :: i
    !f2py threadsafe
    total = 0
    !$omp parallel do simd reduction(+ : total)
    do i = 1, n
        total = total + x(i)
    end do
end function
