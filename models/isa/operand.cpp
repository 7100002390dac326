#include "models/isa/operand.h"

namespace heddle::isa {

const char* name_of(SpecialRegister s) {
  switch (s) {
    case SpecialRegister::tid_x:
      return "%tid.x";
    case SpecialRegister::tid_y:
      return "%tid.y";
    case SpecialRegister::tid_z:
      return "%tid.z";
    case SpecialRegister::ntid_x:
      return "%ntid.x";
    case SpecialRegister::ntid_y:
      return "%ntid.y";
    case SpecialRegister::ntid_z:
      return "%ntid.z";
    case SpecialRegister::ctaid_x:
      return "%ctaid.x";
    case SpecialRegister::ctaid_y:
      return "%ctaid.y";
    case SpecialRegister::ctaid_z:
      return "%ctaid.z";
    case SpecialRegister::nctaid_x:
      return "%nctaid.x";
    case SpecialRegister::nctaid_y:
      return "%nctaid.y";
    case SpecialRegister::nctaid_z:
      return "%nctaid.z";
    case SpecialRegister::laneid:
      return "%laneid";
    case SpecialRegister::warpid:
      return "%warpid";
    case SpecialRegister::nwarpid:
      return "%nwarpid";
    case SpecialRegister::smid:
      return "%smid";
    case SpecialRegister::nsmid:
      return "%nsmid";
    case SpecialRegister::gridid:
      return "%gridid";
    case SpecialRegister::lanemask_eq:
      return "%lanemask_eq";
    case SpecialRegister::lanemask_le:
      return "%lanemask_le";
    case SpecialRegister::lanemask_lt:
      return "%lanemask_lt";
    case SpecialRegister::lanemask_ge:
      return "%lanemask_ge";
    case SpecialRegister::lanemask_gt:
      return "%lanemask_gt";
    case SpecialRegister::clock:
      return "%clock";
    case SpecialRegister::clock_hi:
      return "%clock_hi";
    case SpecialRegister::clock64:
      return "%clock64";
    case SpecialRegister::globaltimer:
      return "%globaltimer";
    case SpecialRegister::globaltimer_lo:
      return "%globaltimer_lo";
    case SpecialRegister::globaltimer_hi:
      return "%globaltimer_hi";
    case SpecialRegister::envreg:
      return "%envreg";
    case SpecialRegister::dynamic_smem_size:
      return "%dynamic_smem_size";
    case SpecialRegister::total_smem_size:
      return "%total_smem_size";
  }
  return "?";
}

bool is_clock(SpecialRegister s) {
  switch (s) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::isa
