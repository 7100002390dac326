#include "testbench/run/origins.h"

namespace heddle::run {

ConfigNode without_origins(const ConfigNode& node) {
  ConfigNode plain = node.unwrapped();
  for (auto& [key, member] : plain.members) member = without_origins(member);
  for (ConfigNode& item : plain.items) item = without_origins(item);
  return plain;
}

}  // namespace heddle::run
