! The smallest useful function: one addition.
function add_one(x) result(y)
    implicit none
    real(8), intent(in) :: x
    real(8) :: y
    y = x + 1
end function
