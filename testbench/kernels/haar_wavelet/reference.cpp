#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::haar_wavelet {
namespace {

void reference(KernelData& data) {
  const auto signal = data.buffer<float>("signal"), details = data.buffer<float>("details");
  const float half_root = 0.70710678118654752440f;
  std::vector<float> now(signal.begin(), signal.end());
  while (now.size() > 1) {
    std::vector<float> next;
    for (std::size_t i = 0; i < now.size(); i += 2) {
      next.push_back((now[i] + now[i + 1]) * half_root);
      details[now.size() / 2 + i / 2] = (now[i] - now[i + 1]) * half_root;
    }
    now = next;
  }
  data.buffer<float>("mean")[0] = now[0];
}

const KernelReference registered("haar_wavelet", &reference);

}  // namespace
}  // namespace heddle::kernels::haar_wavelet
