! Dot product. Without flags, the additions keep their order. With -ffast-math or -fopenmp, the compiler may use SIMD
! lanes. With -fopenmp, each thread adds up a part.
function dot_float64(x, y, n) result(product)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8) :: product
    integer(8) :: i
    !f2py threadsafe
    product = 0
    !$omp parallel do simd reduction(+ : product)
    do i = 1, n
        product = product + x(i) * y(i)
    end do
end function

function dot_float32(x, y, n) result(product)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: x(n), y(n)
    real(4) :: product
    integer(8) :: i
    !f2py threadsafe
    product = 0
    !$omp parallel do simd reduction(+ : product)
    do i = 1, n
        product = product + x(i) * y(i)
    end do
end function
