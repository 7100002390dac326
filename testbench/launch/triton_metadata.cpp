#include "testbench/launch/triton_metadata.h"

#include <filesystem>
#include <limits>

#include "models/core/config_node.h"
#include "models/core/error.h"

namespace heddle::launch {
namespace {

constexpr std::int64_t kWarpLanes = 32;

std::optional<std::uint32_t> number(const ConfigNode& node, const char* key) {
  const ConfigNode* const value = node.find(key);
  if (!value || !value->is_number() || !value->is_integer || value->integer < 0 ||
      value->integer > std::numeric_limits<std::int32_t>::max())
    return std::nullopt;
  return static_cast<std::uint32_t>(value->integer);
}

}  // namespace

std::optional<TritonMetadata> triton_metadata(const std::string& ptx_file) {
  const std::filesystem::path file = std::filesystem::path(ptx_file).replace_extension(".json");
  std::error_code ec;
  if (!std::filesystem::is_regular_file(file, ec)) return std::nullopt;
  ConfigNode node;
  try {
    node = parse_config_file(file.string());
  } catch (const Error&) {
    return std::nullopt;  // Triton has not written this JSON file.
  }
  if (!node.is_object()) return std::nullopt;
  const auto warps = number(node, "num_warps"), shared = number(node, "shared");
  if (!warps || !shared || *warps == 0 || *warps > 1024 / kWarpLanes) return std::nullopt;
  TritonMetadata metadata;
  metadata.threads = *warps * kWarpLanes;
  metadata.shared_bytes = *shared;
  metadata.ctas = number(node, "num_ctas").value_or(1);
  if (const ConfigNode* const name = node.find("name"); name && name->is_string())
    metadata.kernel = name->text;
  return metadata;
}

}  // namespace heddle::launch
