! Transposition by Fortran's intrinsic function.
subroutine transpose_float64(x, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(inout) :: out(n, n)
    !f2py threadsafe
    out = transpose(x)
end subroutine

subroutine transpose_float32(x, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: x(n, n)
    real(4), intent(inout) :: out(n, n)
    !f2py threadsafe
    out = transpose(x)
end subroutine
