#include <algorithm>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::srad {
namespace {

struct Image {
  std::int64_t rows;
  std::int64_t columns;
  std::vector<double> pixels;

  double at(std::int64_t row, std::int64_t column) const {
    return pixels[std::clamp<std::int64_t>(row, 0, rows - 1) * columns +
                  std::clamp<std::int64_t>(column, 0, columns - 1)];
  }
};

double coefficient(const Image& image, std::int64_t row, std::int64_t column, double q0) {
  const double own = image.at(row, column);
  const double north = image.at(row - 1, column) - own;
  const double south = image.at(row + 1, column) - own;
  const double west = image.at(row, column - 1) - own;
  const double east = image.at(row, column + 1) - own;
  const double gradient = (north * north + south * south + west * west + east * east) / (own * own);
  const double laplacian = (north + south + west + east) / own;
  const double slope = 1.0 + 0.25 * laplacian;
  const double q = (0.5 * gradient - laplacian * laplacian / 16.0) / (slope * slope);
  return std::clamp(1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0))), 0.0, 1.0);
}

void reference(KernelData& data) {
  const auto pixels = data.buffer<float>("image");
  const auto scale = data.buffer<float>("scale");
  const double step = data.number("step");
  Image image{data.integer("rows"), data.integer("columns"), {pixels.begin(), pixels.end()}};
  Image spread = image;
  for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
    double sum = 0.0;
    double squares = 0.0;
    for (const double value : image.pixels) {
      sum += value;
      squares += value * value;
    }
    const double count = static_cast<double>(image.pixels.size());
    const double mean = sum / count;
    const double q0 = (squares / count - mean * mean) / (mean * mean);
    scale[0] = static_cast<float>(q0);
    Image next = image;
    for (std::int64_t i = 0; i < image.rows * image.columns; ++i) {
      spread.pixels[i] = coefficient(image, i / image.columns, i % image.columns, q0);
    }
    for (std::int64_t row = 0; row < image.rows; ++row) {
      for (std::int64_t column = 0; column < image.columns; ++column) {
        const double own = image.at(row, column);
        const double here = spread.at(row, column);
        const double divergence = here * (image.at(row - 1, column) - own + image.at(row, column - 1) - own) +
                                  spread.at(row + 1, column) * (image.at(row + 1, column) - own) +
                                  spread.at(row, column + 1) * (image.at(row, column + 1) - own);
        next.pixels[row * image.columns + column] = own + 0.25 * step * divergence;
      }
    }
    image = next;
  }
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(image.pixels[i]);
}

const KernelReference registered("srad", &reference);

}  // namespace
}  // namespace heddle::kernels::srad
