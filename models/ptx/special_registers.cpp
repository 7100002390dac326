#include "models/ptx/special_registers.h"

#include <charconv>
#include <vector>

namespace heddle::ptx {
namespace {

using isa::SpecialRegister;

struct SpecialRow {
  std::string_view name;
  SpecialRegisterInfo info;
};

const std::vector<SpecialRow>& table() {
  using S = SpecialRegister;
  static const std::vector<SpecialRow> rows = {
      {"%tid.x", {S::tid_x}},
      {"%tid.y", {S::tid_y}},
      {"%tid.z", {S::tid_z}},
      {"%ntid.x", {S::ntid_x}},
      {"%ntid.y", {S::ntid_y}},
      {"%ntid.z", {S::ntid_z}},
      {"%ctaid.x", {S::ctaid_x}},
      {"%ctaid.y", {S::ctaid_y}},
      {"%ctaid.z", {S::ctaid_z}},
      {"%nctaid.x", {S::nctaid_x}},
      {"%nctaid.y", {S::nctaid_y}},
      {"%nctaid.z", {S::nctaid_z}},
      {"%laneid", {S::laneid}},
      {"%warpid", {S::warpid, 32, 0, false, true}},
      {"%nwarpid", {S::nwarpid}},
      {"%smid", {S::smid, 32, 0, false, true}},
      {"%nsmid", {S::nsmid, 32, 0, false, true}},
      {"%gridid", {S::gridid, 64}},
      {"%lanemask_eq", {S::lanemask_eq}},
      {"%lanemask_le", {S::lanemask_le}},
      {"%lanemask_lt", {S::lanemask_lt}},
      {"%lanemask_ge", {S::lanemask_ge}},
      {"%lanemask_gt", {S::lanemask_gt}},
      {"%clock", {S::clock, 32, 0, true}},
      {"%clock_hi", {S::clock_hi, 32, 0, true}},
      {"%clock64", {S::clock64, 64, 0, true}},
      {"%globaltimer", {S::globaltimer, 64, 0, true}},
      {"%globaltimer_lo", {S::globaltimer_lo, 32, 0, true}},
      {"%globaltimer_hi", {S::globaltimer_hi, 32, 0, true}},
      {"%dynamic_smem_size", {S::dynamic_smem_size}},
      {"%total_smem_size", {S::total_smem_size}},
  };
  return rows;
}

}  // namespace

std::optional<SpecialRegisterInfo> find_special_register(std::string_view name, std::string_view component) {
  std::string full(name);
  if (!component.empty()) full += "." + std::string(component);
  for (const SpecialRow& row : table())
    if (row.name == full) return row.info;
  constexpr std::string_view kEnvironment = "%envreg";
  if (component.empty() && name.starts_with(kEnvironment)) {
    const std::string_view digits = name.substr(kEnvironment.size());
    unsigned index = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (result.ec == std::errc{} && result.ptr == digits.data() + digits.size() && index < 32)
      return SpecialRegisterInfo{SpecialRegister::envreg, 32, static_cast<std::uint8_t>(index)};
  }
  return std::nullopt;
}

const char* refused_special_register(std::string_view name) {
  if (name.find("cluster") != std::string_view::npos) return "clusters";
  if (name.starts_with("%pm")) return "performance counters";
  if (name == "%aggr_smem_size" || name.starts_with("%reserved_smem")) return "reserved shared memory";
  if (name == "%current_graph_exec") return "device runtime";
  return nullptr;
}

std::string list_special_registers() {
  std::string text;
  for (const SpecialRow& row : table()) text += (text.empty() ? "" : " ") + std::string(row.name);
  return text + " %envreg0..31";
}

}  // namespace heddle::ptx
