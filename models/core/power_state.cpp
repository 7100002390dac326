#include "models/core/power_state.h"

namespace heddle {

const char* name_of(PowerState state) {
  switch (state) {
    case PowerState::on:
      return "on";
    case PowerState::uncompensated:
      return "uncompensated";
    case PowerState::compensated:
      return "compensated";
    case PowerState::wake_up:
      return "wake-up";
  }
  return "?";
}

}  // namespace heddle
