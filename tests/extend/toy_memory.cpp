// A memory model of somebody else's: every access is answered in the cycle behind the one it came in.

#include "models/memory/backing_store.h"
#include "models/memory/i_memory_model.h"
#include "models/memory/response_sender.h"

namespace heddle {
namespace {

class NextCycle : public IMemoryModel, public tlm::tlm_fw_transport_if<> {
 public:
  NextCycle(const sc_core::sc_module_name& name, const NoParameters&, Context& context)
      : IMemoryModel(name, context.clock),
        socket_("socket"),
        image_(&context.image),
        responses_(socket_),
        reads_(context.stats.add("reads", "requests", "read requests")),
        writes_(context.stats.add("writes", "requests", "write requests")) {
    socket_.bind(*this);
  }

  MemoryTargetSocket& socket() override { return socket_; }
  void begin_kernel() override {}
  void drain() override {}
  bool idle() const override { return responses_.idle(); }
  bool flip_bit(std::uint64_t address, unsigned bit) override {
    return flip_image_bit(*image_, address, bit);
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      responses_.end();
      clock().sync();
      clock().wake_next();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    const Cycle due = clock().cycle_after(delay) + 1;
    if (payload.has_mm()) payload.acquire();
    access_image(*image_, payload);
    ++(payload.is_read() ? reads_ : writes_);
    responses_.push(due, payload);
    clock().wake_at(due);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    access_image(*image_, payload);
    delay += clock().period();
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    return access_image(*image_, payload) ? payload.get_data_length() : 0;
  }

 private:
  void tick() override { responses_.tick(now()); }

  MemoryTargetSocket socket_;
  MemoryImage* image_;
  ResponseSender responses_;
  Counter &reads_, &writes_;
};

const ModuleRegistration<IMemoryModel, NextCycle, MemoryParameters<NoParameters>> registered{"toy-next-cycle",
                                                             "every access is answered in the next cycle"};

}  // namespace
}  // namespace heddle
