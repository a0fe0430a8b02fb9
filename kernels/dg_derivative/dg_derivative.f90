! Derivatives of polynomials on tetrahedra, by Fortran's matmul of each element's few numbers; with -fopenmp, threads
! share the elements.
subroutine dg_derivative_float64(matrices, u, factors, out, nodes, elements)
    implicit none
    integer(8), intent(in) :: nodes, elements
    real(8), intent(in) :: matrices(nodes, 3, nodes), u(nodes, elements), factors(3, 3, elements)
    real(8), intent(inout) :: out(nodes, 3, elements)
    integer(8) :: b, e
    real(8) :: along(nodes, 3)
    !f2py threadsafe
    !$omp parallel do private(b, along)
    do e = 1, elements
        along = 0
        do b = 1, nodes
            along = along + u(b, e) * matrices(:, :, b)
        end do
        out(:, :, e) = matmul(along, factors(:, :, e))
    end do
end subroutine

subroutine dg_derivative_float32(matrices, u, factors, out, nodes, elements)
    implicit none
    integer(8), intent(in) :: nodes, elements
    real(4), intent(in) :: matrices(nodes, 3, nodes), u(nodes, elements), factors(3, 3, elements)
    real(4), intent(inout) :: out(nodes, 3, elements)
    integer(8) :: b, e
    real(4) :: along(nodes, 3)
    !f2py threadsafe
    !$omp parallel do private(b, along)
    do e = 1, elements
        along = 0
        do b = 1, nodes
            along = along + u(b, e) * matrices(:, :, b)
        end do
        out(:, :, e) = matmul(along, factors(:, :, e))
    end do
end subroutine
