#include "../shim.h"

// Sorts the numbers from `first` to `last` in place: partitions them by a pivot, then sorts both parts.
__device__ __noinline__ void sort(int* values, int first, int last) {
  if (first >= last) return;
  const int pivot = values[(first + last) / 2];
  int low = first, high = last;
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (values[high] > pivot) --high;
    if (low > high) break;
    const int value = values[low];
    values[low++] = values[high];
    values[high--] = value;
  }
  sort(values, first, high);
  sort(values, low, last);
}

// Each thread sorts a separate piece of `own` numbers.
__global__ void quicksort(int* values, int own, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sort(values + i * own, 0, own - 1);
}
