#include "testbench/why/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "testbench/output/stored_table.h"

namespace heddle::why {
namespace {

constexpr const char* kProfile = "profile.csv";

// Returns the name of the column in profile.csv that counts the waits with this reason; nullptr if there is none.
const char* column_of(const std::string& reason) {
  static const std::map<std::string, const char*> columns = {{"memory", "wait_memory"},
                                                             {"texture", "wait_memory"},
                                                             {"dependence", "wait_dependence"},
                                                             {"barrier", "wait_barrier"},
                                                             {"fence", "wait_fence"},
                                                             {"async", "wait_async"},
                                                             {"fetch", "wait_fetch"},
                                                             {"structural", "wait_not_picked"},
                                                             {"gated", "wait_not_picked"},
                                                             {"no-pair", "wait_not_picked"},
                                                             {"issued", "issues"}};
  const auto it = columns.find(reason);
  return it == columns.end() ? nullptr : it->second;
}

}  // namespace

Places::Places(const ConfigNode& result, const std::string& folder) {
  if (const auto text = output::stored_table(result, folder, kProfile))
    profile_ = output::read_csv(*text, (std::filesystem::path(folder) / kProfile).string());
}

Places Places::of_text(const std::string& profile_csv) {
  Places places;
  if (!profile_csv.empty()) places.profile_ = output::read_csv(profile_csv, kProfile);
  return places;
}

bool Places::lacks_lines() const {
  if (!profile_ || profile_->column("source_file") == profile_->headings.size()) return false;
  return std::all_of(profile_->rows.begin(), profile_->rows.end(),
                     [&](const auto& row) { return row[profile_->column("source_file")].empty(); });
}

std::string Places::most(const std::string& kernel, const std::string& reason) const {
  const char* column = column_of(reason);
  if (!profile_ || !column) return {};
  const output::CsvTable& t = *profile_;
  const std::size_t waits = t.column(column), of = t.column("kernel"), file = t.column("source_file"),
                    line = t.column("source_line"), ptx = t.column("ptx_line"),
                    code = t.column("instruction");
  for (const std::size_t c : {waits, of, file, line, ptx, code})
    if (c == t.headings.size()) return {};
  std::map<std::string, double> sums;
  double all = 0;
  for (std::size_t r = 0; r < t.rows.size(); ++r) {
    if (t.rows[r][of] != kernel) continue;
    const std::string place = t.rows[r][file].empty()
                                  ? fmt::format("PTX line {}: {}", t.rows[r][ptx], t.rows[r][code])
                                  : fmt::format("{}:{}", t.rows[r][file], t.rows[r][line]);
    sums[place] += t.number(r, waits);
    all += t.number(r, waits);
  }
  const std::pair<const std::string, double>* most = nullptr;
  for (const auto& sum : sums)
    if (!most || sum.second > most->second) most = &sum;
  if (!most || most->second == 0) return {};
  return fmt::format("{}, {:.0f} % of these {}", most->first, 100 * most->second / all,
                     reason == "issued" ? "issues" : "waits");
}

}  // namespace heddle::why
