! OpenMP in Fortran: relaxation of a grid in device memory, sum of its diagonal, and a critical section of threads.
program grid
  implicit none
  integer, parameter :: n = 20, steps = 2
  real(8) :: u(n, n), v(n, n), total
  integer :: i, j, step, entered, largest
  do j = 1, n
    do i = 1, n
      u(i, j) = mod(i * 7 + j * 3, 11)
    end do
  end do
  v = u
  !$omp target data map(tofrom: u) map(to: v)
  do step = 1, steps
    !$omp target teams distribute parallel do num_teams(4) collapse(2)
    do j = 2, n - 1
      do i = 2, n - 1
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    !$omp target teams distribute parallel do num_teams(4) collapse(2)
    do j = 2, n - 1
      do i = 2, n - 1
        u(i, j) = v(i, j)
      end do
    end do
  end do
  !$omp end target data
  total = 0
  !$omp target teams distribute parallel do num_teams(4) map(to: u) map(tofrom: total) reduction(+: total)
  do j = 1, n
    total = total + int(1000 * u(j, j))
  end do
  entered = 0
  largest = 0
  !$omp target parallel num_threads(8) map(tofrom: entered, largest)
  !$omp critical
  entered = entered + 1
  largest = max(largest, entered * 3)
  !$omp end critical
  !$omp end target parallel
  print '(3(f0.6, 1x), 2(i0, 1x))', u(2, 2), u(n / 2, n - 1), total, entered, largest
end program grid
