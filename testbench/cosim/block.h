#pragma once

// Describes an RTL block: its Verilog module, the table of its ports, and the kind of probe point in the
// model to which the block connects. One object in blocks/<module>.cpp registers the block.

#include "models/core/probe.h"
#include "testbench/cosim/block_instance.h"

namespace heddle::cosim {

/// Result of checking a unit of the model: whether the block implements it, and with which Verilog
/// parameters.
struct BlockFit {
  RtlParameters parameters = {};
  /// reason why the block does not implement the unit; empty if the block implements it
  std::string reason = {};
  bool for_others = false;  ///< The block implements another kind of unit, so `reason` is not printed.
};

class BlockKind {
 public:
  BlockKind(const char* module, const char* model_parts);
  virtual ~BlockKind() = default;
  BlockKind(const BlockKind&) = delete;
  BlockKind& operator=(const BlockKind&) = delete;

  const std::string& module() const { return module_; }
  const std::string& model_parts() const { return model_parts_; }
  /// Connects an instance of the block to a probe point of the model. Returns nullptr if the probe point has
  /// another type. If the block does not implement the unit to which the probe point belongs, also returns
  /// nullptr and sets `reason`.
  virtual std::unique_ptr<BlockInstance> attach(ProbePoint& point, const std::string& name, Mode mode,
                                                std::string& reason) const = 0;
  static std::vector<const BlockKind*> all();

 protected:
  const RtlModelEntry* find(const RtlParameters& parameters, std::string& reason) const;

 private:
  std::string module_, model_parts_;
};

template <class Point>
class Block : public BlockKind {
 public:
  using Owner = typename Point::Owner;
  struct Description {
    const char* module;
    /// units of the model with which the block is compared, as the summary names them
    const char* model_parts;
    Clocking clocking;
    BlockFit (*fits)(const Owner&);
    void (*table)(BlockTable<Point>&, const Owner&);
  };
  explicit Block(const Description& d) : BlockKind(d.module, d.model_parts), d_(d) {}

  std::unique_ptr<BlockInstance> attach(ProbePoint& point, const std::string& name, Mode mode,
                                        std::string& reason) const override {
    Probe<Point>* probe = point.as<Point>();
    if (!probe) return nullptr;
    BlockFit fit = d_.fits(probe->owner());
    if (fit.for_others) return nullptr;
    reason = fit.reason;
    const RtlModelEntry* entry = reason.empty() ? find(fit.parameters, reason) : nullptr;
    if (!entry) return nullptr;
    std::unique_ptr<RtlModel> model = entry->make();
    BlockTable<Point> table(*model);
    d_.table(table, probe->owner());
    constexpr bool kAtOnce = requires { Point::kEndOfCycle; };
    auto instance = std::make_unique<BlockInstance>(name, mode, std::move(model), std::move(fit.parameters),
                                                    d_.clocking, kAtOnce, std::move(table));
    probe->attach([raw = instance.get()](const auto& view, auto* answer) {
      ProbedView probed{&view, answer, {}};
      if constexpr (requires { view.now; }) probed.now = view.now;
      raw->observe(probed);
    });
    return instance;
  }

 private:
  Description d_;
};

}  // namespace heddle::cosim
