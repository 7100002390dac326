#include "testbench/run/account_tables.h"

#include <algorithm>

#include "models/core/unknown_name.h"

namespace heddle::run {

const std::vector<std::string>& account_names() {
  static const std::vector<std::string> names = {"machine", "papers"};
  return names;
}

std::vector<std::string> account_tables(const std::string& account, const Techniques& techniques) {
  if (account == "machine") return {"joint-40nm"};
  if (account != "papers") throw unknown_name("power.account", "account", account, account_names());
  std::vector<std::string> tables = {"gtx480-45nm", "gebhart-hierarchy"};
  for (const ConfigNode& table : techniques.technologies())
    if (std::find(tables.begin(), tables.end(), table.text) == tables.end()) tables.push_back(table.text);
  return tables;
}

}  // namespace heddle::run
