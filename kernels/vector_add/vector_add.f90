! out = x + y; with -fopenmp, threads share the elements.
subroutine vector_add_float64(x, y, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8), intent(inout) :: out(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(i) = x(i) + y(i)
    end do
end subroutine

subroutine vector_add_float32(x, y, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: x(n), y(n)
    real(4), intent(inout) :: out(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(i) = x(i) + y(i)
    end do
end subroutine
