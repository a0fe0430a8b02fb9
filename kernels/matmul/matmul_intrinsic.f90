! out = a b by Fortran's own function.
subroutine multiply_float64(a, b, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: out(n, n)
    !f2py threadsafe
    out = matmul(a, b)
end subroutine

subroutine multiply_float32(a, b, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: a(n, n), b(n, n)
    real(4), intent(inout) :: out(n, n)
    !f2py threadsafe
    out = matmul(a, b)
end subroutine
