#include "testbench/run/origins.h"

#include <utility>

namespace heddle::run {

ConfigNode without_origins(ConfigNode node) {
  if (const ConfigNode& inner = node.unwrapped(); &inner != &node) node = ConfigNode(inner);
  for (auto& [key, member] : node.members) member = without_origins(std::move(member));
  for (ConfigNode& item : node.items) item = without_origins(std::move(item));
  return node;
}

}  // namespace heddle::run
