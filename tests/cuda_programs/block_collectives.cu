// Compares results of cub with the host's: collectives of warps and blocks, device calls, loads and stores with cache
// hints. Sums of integers do not depend on order. Blocks have one or three dimensions, and a last warp that is not
// full.
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

#include "check.h"

constexpr int kThreads = 72, kItems = 3, kCount = kThreads * kItems;

struct Row {
  int sum, most, first_40, items, best_key, block_scan, scan_all, exclusive_items[kItems], striped[kItems],
      after[kItems], warp_sum, warp_before;
};

/// Running prefix for cub's scans: returns the sum of the earlier blocks of items.
struct Running {
  int so_far;
  __device__ int operator()(int all) {
    const int before = so_far;
    so_far += all;
    return before;
  }
};

__global__ void collect(const int* in, Row* rows) {
  // The block has 24 x 3 threads; `thread` numbers them as a block of 72 x 1 would.
  const int thread = threadIdx.x + 24 * threadIdx.y;
  using Reduce = cub::BlockReduce<int, 24, cub::BLOCK_REDUCE_RAKING, 3>;
  using Scan = cub::BlockScan<int, 24, cub::BLOCK_SCAN_WARP_SCANS, 3>;
  using Pair = cub::KeyValuePair<int, int>;
  using PairReduce = cub::BlockReduce<Pair, 24, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 3>;
  using Exchange = cub::BlockExchange<int, 24, kItems, false, 3>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Exchange::TempStorage exchange;
  } shared;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename PairReduce::TempStorage pairs;
  Row row = {};
  int items[kItems];
  cub::BlockLoad<int, 24, kItems, cub::BLOCK_LOAD_TRANSPOSE, 3>().Load(in, items);
  row.sum = Reduce(shared.reduce).Sum(in[thread]);
  __syncthreads();
  row.most = Reduce(shared.reduce).Reduce(in[thread], cub::Max());
  __syncthreads();
  row.first_40 = Reduce(shared.reduce).Sum(in[thread], 40);
  __syncthreads();
  row.items = Reduce(shared.reduce).Sum(items);
  __syncthreads();
  row.best_key = PairReduce(pairs).Reduce(Pair(thread, in[thread]), cub::ArgMin()).key;
  Scan(scan).InclusiveSum(in[thread], row.block_scan, row.scan_all);
  __syncthreads();
  Scan(scan).ExclusiveSum(items, row.exclusive_items);
  __syncthreads();
  Running running{1000};
  Scan(scan).InclusiveScan(items, row.after, cub::Sum(), running);
  Exchange(shared.exchange).BlockedToStriped(items, row.striped);
  typename cub::WarpReduce<int, 8>::TempStorage of_warp;
  row.warp_sum = cub::WarpReduce<int, 8>(of_warp).Sum(in[thread]);
  typename cub::WarpScan<int, 8>::TempStorage scan_of_warp;
  cub::WarpScan<int, 8>(scan_of_warp).ExclusiveSum(in[thread], row.warp_before);
  rows[thread] = row;
}

static long wrong = 0, all = 0;
static void expect(long found, long right) {
  ++all;
  wrong += found != right;
}

static void blocks(const std::vector<int>& in) {
  int* device;
  Row* device_rows;
  MUST(cudaMalloc(&device, kCount * sizeof(int)));
  MUST(cudaMalloc(&device_rows, kThreads * sizeof(Row)));
  MUST(cudaMemcpy(device, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
  collect<<<1, dim3(24, 3)>>>(device, device_rows);
  std::vector<Row> rows(kThreads);
  MUST(cudaMemcpy(rows.data(), device_rows, kThreads * sizeof(Row), cudaMemcpyDeviceToHost));
  const auto first = in.begin();
  const int total = std::accumulate(first, first + kThreads, 0);
  expect(rows[0].sum, total);
  expect(rows[0].most, *std::max_element(first, first + kThreads));
  expect(rows[0].first_40, std::accumulate(first, first + 40, 0));
  expect(rows[0].items, std::accumulate(first, first + kCount, 0));
  expect(rows[0].best_key, std::min_element(first, first + kThreads) - first);
  for (int t = 0; t < kThreads; ++t) {
    expect(rows[t].block_scan, std::accumulate(first, first + t + 1, 0));
    expect(rows[t].scan_all, total);
    for (int i = 0; i < kItems; ++i) {
      const int at = t * kItems + i, before = std::accumulate(first, first + at, 0);
      expect(rows[t].exclusive_items[i], before);
      expect(rows[t].after[i], 1000 + before + in[at]);
      expect(rows[t].striped[i], in[t + i * kThreads]);
    }
    if (t % 8 == 0) expect(rows[t].warp_sum, std::accumulate(first + t, first + t + 8, 0));
    expect(rows[t].warp_before, std::accumulate(first + t / 8 * 8, first + t, 0));
  }
  MUST(cudaFree(device));
  MUST(cudaFree(device_rows));
}

struct Three {
  short parts[3];
};
struct alignas(16) Wide {
  double first;
  char last;
};

/// Copies bytes and structures with the cache hints `load` and `store`.
template <cub::CacheLoadModifier load, cub::CacheStoreModifier store>
__device__ void pass(const char* bytes, const Three* threes, const Wide* wides, char* to_bytes, Three* to_threes,
                     volatile long* sum) {
  __shared__ int kept[32];
  const int i = threadIdx.x;
  cub::ThreadStore<store>(to_bytes + i, cub::ThreadLoad<load>(bytes + i));
  cub::ThreadStore<store>(to_threes + i, cub::ThreadLoad<load>(threes + i));
  const Wide wide = cub::ThreadLoad<load>(wides + i);
  kept[i] = i;
  __syncwarp();
  sum[i] = (long)wide.first + wide.last + cub::ThreadLoad<cub::LOAD_VOLATILE>(kept + 31 - i) +
           cub::ThreadLoad<load>(cub::CountingInputIterator<int>(i));
}
template <cub::CacheLoadModifier load, cub::CacheStoreModifier store>
__global__ void hinted(const char* bytes, const Three* threes, const Wide* wides, char* to_bytes, Three* to_threes,
                       long* sum) {
  pass<load, store>(bytes, threes, wides, to_bytes, to_threes, sum);
}

template <cub::CacheLoadModifier load, cub::CacheStoreModifier store>
static void hints() {
  char *bytes, *to_bytes;
  Three *threes, *to_threes;
  Wide* wides;
  long* sum;
  MUST(cudaMallocManaged(&bytes, 32));
  MUST(cudaMallocManaged(&to_bytes, 32));
  MUST(cudaMallocManaged(&threes, 32 * sizeof(Three)));
  MUST(cudaMallocManaged(&to_threes, 32 * sizeof(Three)));
  MUST(cudaMallocManaged(&wides, 32 * sizeof(Wide)));
  MUST(cudaMallocManaged(&sum, 32 * sizeof(long)));
  for (int i = 0; i < 32; ++i) {
    bytes[i] = (char)(i - 16);
    threes[i] = {{(short)i, (short)-i, (short)(1000 * i)}};
    wides[i] = {100.0 * i, (char)-i};
  }
  hinted<load, store><<<1, 32>>>(bytes, threes, wides, to_bytes, to_threes, sum);
  MUST(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    expect(to_bytes[i], i - 16);
    expect(to_threes[i].parts[0] == i && to_threes[i].parts[1] == -i && to_threes[i].parts[2] == 1000 * i, true);
    expect(sum[i], 100 * i - i + (31 - i) + i);
  }
  for (void* p : {(void*)bytes, (void*)to_bytes, (void*)threes, (void*)to_threes, (void*)wides, (void*)sum}) MUST(cudaFree(p));
}

struct Even {
  __host__ __device__ bool operator()(int a) const { return a % 2 == 0; }
};

/// Calls a cub function twice, as programs do: first to get the size of its temporary storage, then to do the work.
template <class Call>
static void twice(Call call) {
  void* storage = nullptr;
  size_t bytes = 0;
  MUST(call(storage, bytes));
  MUST(cudaMalloc(&storage, bytes));
  MUST(call(storage, bytes));
  MUST(cudaFree(storage));
}

static void whole_device(std::vector<int> in) {
  const int n = (int)in.size();
  int *a, *b, *c, *count;
  for (int** p : {&a, &b, &c, &count}) MUST(cudaMalloc(p, (n + 1) * sizeof(int)));
  MUST(cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  std::vector<int> out(n), right(n);
  const auto fetch = [&](const int* from) {
    MUST(cudaMemcpy(out.data(), from, n * sizeof(int), cudaMemcpyDeviceToHost));
  };
  twice([&](void* s, size_t& k) { return cub::DeviceReduce::Sum(s, k, a, b, n); });
  twice([&](void* s, size_t& k) { return cub::DeviceReduce::Min(s, k, a, b + 1, n); });
  fetch(b);
  expect(out[0], std::accumulate(in.begin(), in.end(), 0));
  expect(out[1], *std::min_element(in.begin(), in.end()));
  twice([&](void* s, size_t& k) { return cub::DeviceScan::ExclusiveSum(s, k, a, b, n); });
  fetch(b);
  for (int i = 0, sum = 0; i < n; sum += in[i++]) expect(out[i], sum);
  twice([&](void* s, size_t& k) { return cub::DeviceSelect::If(s, k, a, b, count, n, Even()); });
  const auto kept = std::copy_if(in.begin(), in.end(), right.begin(), Even()) - right.begin();
  fetch(b);
  expect(std::equal(right.begin(), right.begin() + kept, out.begin()), true);
  fetch(count);
  expect(out[0], kept);
  const cub::CountingInputIterator<int> numbers(0);
  twice([&](void* s, size_t& k) { return cub::DeviceRadixSort::SortPairs(s, k, a, b, a, c, n); });
  std::sort(in.begin(), in.end());
  fetch(b);
  expect(out == in, true);
  fetch(c);
  expect(out == in, true);
  twice([&](void* s, size_t& k) { return cub::DeviceRunLengthEncode::Encode(s, k, b, a, c, count, n); });
  fetch(count);
  const int runs = out[0];
  fetch(c);
  expect(std::accumulate(out.begin(), out.begin() + runs, 0), n);
  right.resize(std::unique_copy(in.begin(), in.end(), right.begin()) - right.begin());
  expect(runs, (long)right.size());
  fetch(a);
  expect(std::equal(right.begin(), right.end(), out.begin()), true);
  twice([&](void* s, size_t& k) {
    return cub::DeviceReduce::Sum(s, k, cub::TransformInputIterator<int, Even, cub::CountingInputIterator<int>>(numbers, Even()), b, n);
  });
  fetch(b);
  expect(out[0], (n + 1) / 2);
  for (int* p : {a, b, c, count}) MUST(cudaFree(p));
}

int main() {
  std::vector<int> in(kCount);
  unsigned state = 7;
  for (int& value : in) value = (int)((state = state * 1664525u + 1013904223u) >> 22) - 300;
  blocks(in);
  in.resize(3000);
  for (int& value : in) value = (int)((state = state * 1664525u + 1013904223u) >> 22) - 300;
  whole_device(in);
  hints<cub::LOAD_DEFAULT, cub::STORE_DEFAULT>();
  hints<cub::LOAD_CA, cub::STORE_WB>();
  hints<cub::LOAD_CG, cub::STORE_CG>();
  hints<cub::LOAD_CS, cub::STORE_CS>();
  hints<cub::LOAD_CV, cub::STORE_WT>();
  hints<cub::LOAD_LDG, cub::STORE_VOLATILE>();
  return report(wrong, all);
}
