// Tests structures of device pointers that are passed by value, or lie as an array in device memory.
#include <vector>

#include "check.h"

struct Row {
  const float* values;
  float* sum;
  int count;
};

__global__ void sum_rows(const Row* rows) {
  const Row row = rows[blockIdx.x];
  float sum = 0;
  for (int i = threadIdx.x; i < row.count; i += blockDim.x) sum += row.values[i];
  atomicAdd(row.sum, sum);
}

__global__ void scale(Row row, float factor) {
  for (int i = threadIdx.x; i < row.count; i += blockDim.x) const_cast<float*>(row.values)[i] *= factor;
}

int main() {
  const int rows = 5;
  std::vector<Row> list(rows);
  float* sums;
  MUST(cudaMalloc(&sums, rows * sizeof(float)));
  MUST(cudaMemset(sums, 0, rows * sizeof(float)));
  for (int r = 0; r < rows; ++r) {
    const int count = 10 + 20 * r;
    std::vector<float> values(count, static_cast<float>(r + 1));
    float* device;
    MUST(cudaMalloc(&device, count * sizeof(float)));
    MUST(cudaMemcpy(device, values.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    list[r] = {device, sums + r, count};
    scale<<<1, 32>>>(list[r], 2.f);
  }
  Row* device_list;
  MUST(cudaMalloc(&device_list, rows * sizeof(Row)));
  MUST(cudaMemcpy(device_list, list.data(), rows * sizeof(Row), cudaMemcpyHostToDevice));
  sum_rows<<<rows, 32>>>(device_list);
  std::vector<float> sum(rows);
  MUST(cudaMemcpy(sum.data(), sums, rows * sizeof(float), cudaMemcpyDeviceToHost));
  long wrong = 0;
  for (int r = 0; r < rows; ++r) wrong += sum[r] != 2.f * (r + 1) * (10 + 20 * r);
  return report(wrong, rows);
}
