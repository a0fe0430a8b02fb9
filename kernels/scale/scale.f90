! y = factor * x; with -fopenmp, threads share the elements.
subroutine scale_float64(factor, x, y, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: factor, x(n)
    real(8), intent(inout) :: y(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        y(i) = factor * x(i)
    end do
end subroutine

subroutine scale_float32(factor, x, y, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: factor, x(n)
    real(4), intent(inout) :: y(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        y(i) = factor * x(i)
    end do
end subroutine
