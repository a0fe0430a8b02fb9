! out = a * x + y; with -fopenmp, threads share the elements.
subroutine saxpy_float64(a, x, y, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: a, x(n), y(n)
    real(8), intent(inout) :: out(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(i) = a * x(i) + y(i)
    end do
end subroutine

subroutine saxpy_float32(a, x, y, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: a, x(n), y(n)
    real(4), intent(inout) :: out(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(i) = a * x(i) + y(i)
    end do
end subroutine
