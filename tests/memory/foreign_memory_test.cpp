#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <deque>

#include "memory_rig.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kBytes = 4096;

struct Bytes {
  bool refuses_byte_enables = false;
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(kBytes);
  Bytes() {
    for (std::uint32_t i = 0; i < kBytes / 4; ++i) std::memcpy(&data[i * 4], &i, 4);
  }
  void access(tlm::tlm_generic_payload& p) {
    if (refuses_byte_enables && p.get_byte_enable_ptr()) {
      p.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      return;
    }
    if (p.get_address() < kData || p.get_address() - kData + p.get_data_length() > kBytes) {
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    std::uint8_t* at = data.data() + (p.get_address() - kData);
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      const std::uint8_t* enables = p.get_byte_enable_ptr();
      if (enables && enables[i % p.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
      if (p.is_read()) p.get_data_ptr()[i] = at[i];
      if (p.is_write()) at[i] = p.get_data_ptr()[i];
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::uint32_t word(std::uint64_t address) const {
    std::uint32_t value;
    std::memcpy(&value, &data[address - kData], 4);
    return value;
  }
};

/// A loosely timed memory. It implements only b_transport; the socket of tlm_utils converts non-blocking
/// calls.
struct BlockingMemory : sc_core::sc_module, Bytes {
  tlm_utils::simple_target_socket<BlockingMemory> socket{"socket"};
  explicit BlockingMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &BlockingMemory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    access(p);
    delay += sc_core::sc_time(50, sc_core::SC_NS);
  }
};

/// A memory with non-blocking transport, in each variant that the TLM-2.0 base protocol permits.
struct NonBlockingMemory : sc_core::sc_module, Bytes {
  enum class Way { completed, completed_with_delay, early_response, four_phases };
  tlm_utils::simple_target_socket<NonBlockingMemory> socket{"socket"};
  NonBlockingMemory(const sc_core::sc_module_name& name, Way w) : sc_module(name), way(w) {
    socket.register_nb_transport_fw(this, &NonBlockingMemory::forward);
    SC_HAS_PROCESS(NonBlockingMemory);
    SC_THREAD(answer);
  }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_FALSE(busy) << "a second BEGIN_REQ before END_REQ";
    access(p);
    switch (way) {
      case Way::completed:
        return tlm::TLM_COMPLETED;
      case Way::completed_with_delay:
        delay += sc_core::sc_time(50, sc_core::SC_NS);
        return tlm::TLM_COMPLETED;
      case Way::early_response:
        phase = tlm::BEGIN_RESP;
        delay += sc_core::sc_time(50, sc_core::SC_NS);
        return tlm::TLM_UPDATED;
      case Way::four_phases:
        break;
    }
    busy = true;
    p.acquire();
    waiting.push_back(&p);
    arrived.notify();
    return tlm::TLM_ACCEPTED;
  }
  void answer() {
    for (;;) {
      while (waiting.empty()) wait(arrived);
      tlm::tlm_generic_payload& p = *waiting.front();
      waiting.pop_front();
      wait(7, sc_core::SC_NS);
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      busy = false;
      socket->nb_transport_bw(p, phase, delay);
      wait(20.5, sc_core::SC_NS);
      phase = tlm::BEGIN_RESP;
      delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_bw(p, phase, delay);
      p.release();
    }
  }
  Way way;
  bool busy = false;
  std::deque<tlm::tlm_generic_payload*> waiting;
  sc_core::sc_event arrived;
};

/// Tests a memory with loads, with stores of parts of a line and, if `atomics` is set, with atomics.
template <class Memory>
void exercise(MemoryRig& rig, Memory& memory, bool atomics) {
  Shot& load = rig.shoot(1, {}, 0, 0);
  MemoryRig::set_addresses(load, kData, 12);
  Shot& store = rig.shoot(2, {.op = isa::Opcode::st}, 0, 1);
  MemoryRig::set_addresses(store, kData + 1024, 8);
  for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(store, 1, i, 7000u + static_cast<unsigned>(i));
  Shot* red = nullptr;
  if (atomics) {
    red = &rig.shoot(3, {.op = isa::Opcode::atom, .atomic = isa::AtomicOp::add}, 0, 2);
    MemoryRig::set_addresses(*red, kData + 2048, 0);
    for (int i = 0; i < kLanes; ++i) MemoryRig::set_source(*red, 1, i, 2);
  }
  rig.shoot(4, {.op = isa::Opcode::membar}, 0, 1);
  Shot& back = rig.shoot(5, {}, 0, 1);
  MemoryRig::set_addresses(back, kData + 1024, 8);
  rig.run();
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(load.results[0][0][static_cast<int>(i)], 3 * i);
    EXPECT_EQ(back.results[0][0][static_cast<int>(i)], 7000 + i);
    EXPECT_EQ(memory.word(kData + 1024 + 8 * i), 7000 + i);
    EXPECT_EQ(memory.word(kData + 1028 + 8 * i), 257 + 2 * i);
    if (red) {
      EXPECT_EQ(red->results[0][0][static_cast<int>(i)], 512 + 2 * i);
    }
  }
  if (red) {
    EXPECT_EQ(memory.word(kData + 2048), 576u);
  }
}

RigOptions options(bool atomic_unit) {
  RigOptions o;
  o.memory = "";
  o.atomic_unit = atomic_unit;
  o.with_bounds = false;
  return o;
}

void run_with(NonBlockingMemory::Way way, bool atomic_unit) {
  MemoryRig rig(options(atomic_unit));
  NonBlockingMemory memory("foreign", way);
  if (atomic_unit)
    rig.atomics->memory.bind(memory.socket);
  else
    rig.units[0]->socket.bind(memory.socket);
  exercise(rig, memory, atomic_unit);
}

using Way = NonBlockingMemory::Way;
TEST(ForeignMemory, CompletesAtOnce) { run_with(Way::completed, false); }
TEST(ForeignMemory, CompletesAtOnceBehindAtomics) { run_with(Way::completed, true); }
TEST(ForeignMemory, CompletesWithDelay) { run_with(Way::completed_with_delay, false); }
TEST(ForeignMemory, CompletesWithDelayBehindAtomics) { run_with(Way::completed_with_delay, true); }
TEST(ForeignMemory, RespondsEarly) { run_with(Way::early_response, false); }
TEST(ForeignMemory, RespondsEarlyBehindAtomics) { run_with(Way::early_response, true); }
TEST(ForeignMemory, FourPhases) { run_with(Way::four_phases, false); }
TEST(ForeignMemory, FourPhasesBehindAtomics) { run_with(Way::four_phases, true); }

TEST(ForeignMemory, Blocking) {
  MemoryRig rig(options(false));
  BlockingMemory memory("foreign");
  rig.units[0]->socket.bind(memory.socket);
  exercise(rig, memory, false);
}

TEST(ForeignMemory, BlockingBehindAtomics) {
  MemoryRig rig(options(true));
  BlockingMemory memory("foreign");
  rig.atomics->memory.bind(memory.socket);
  exercise(rig, memory, true);
}

TEST(ForeignMemory, SlowMemoryIsSharedFairly) {
  RigOptions o = options(true);
  o.sms = 2;
  o.load_store.l1.enabled = false;
  MemoryRig rig(o);
  NonBlockingMemory memory("foreign", Way::four_phases);
  rig.atomics->memory.bind(memory.socket);
  for (unsigned n = 0; n < 20; ++n)
    for (int sm = 0; sm < 2; ++sm) MemoryRig::set_addresses(rig.shoot(1, {}, sm), kData, 4);
  rig.run();
  for (std::size_t n = 0; n < 20; ++n) {
    const Cycle a = rig.drivers[0]->shots[n].left, b = rig.drivers[1]->shots[n].left;
    EXPECT_LT(a > b ? a - b : b - a, 60u);
  }
}

TEST(ForeignMemory, WithoutByteEnables) {
  RigOptions o = options(false);
  o.load_store.byte_enables = false;
  MemoryRig rig(o);
  NonBlockingMemory memory("foreign", Way::completed);
  memory.refuses_byte_enables = true;
  rig.units[0]->socket.bind(memory.socket);
  exercise(rig, memory, false);
  EXPECT_EQ(rig.count("sm0.store_segments"), 32u);
}

TEST(ForeignMemory, AnnotatedDelayIsRespected) {
  MemoryRig rig(options(false));
  NonBlockingMemory memory("foreign", Way::completed_with_delay);
  rig.units[0]->socket.bind(memory.socket);
  Shot& load = rig.shoot(1, {});
  MemoryRig::set_addresses(load, kData, 4);
  rig.run();
  // The load is sent when it enters the unit, and memory responds 50 cycles later. The unit takes the
  // response in the next cycle, and the load leaves one cycle after the unit has taken the response.
  EXPECT_EQ(load.left - load.entered, 52u);
}

TEST(ForeignMemory, ItsErrorNamesTheInstruction) {
  MemoryRig rig(options(true));
  NonBlockingMemory memory("foreign", Way::four_phases);
  rig.atomics->memory.bind(memory.socket);
  MemoryRig::set_addresses(rig.shoot(1, {.op = isa::Opcode::st}), kData + kBytes, 4);
  try {
    rig.run();
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("k.ptx:12"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("TLM_ADDRESS_ERROR_RESPONSE"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace heddle::test
