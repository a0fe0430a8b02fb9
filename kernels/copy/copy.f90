! out = x; with -fopenmp, threads share the elements.
subroutine copy_float64(x, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: out(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(i) = x(i)
    end do
end subroutine

subroutine copy_float32(x, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: x(n)
    real(4), intent(inout) :: out(n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(i) = x(i)
    end do
end subroutine
