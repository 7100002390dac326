#include "tests/gpgpu_sim/simulator.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "libcuda/gpgpu_context.h"
#include "src/cuda-sim/cuda-sim.h"
#include "src/cuda-sim/ptx_ir.h"
#include "src/gpgpu-sim/gpu-sim.h"

// Defines those functions of GPGPU-Sim's CUDA runtime that the simulator itself calls, because the runtime is
// not linked.
gpgpu_context* GPGPU_Context() {
  static auto* const context = new gpgpu_context();
  return context;
}
CUctx_st* GPGPUSim_Context(gpgpu_context* context) { return context->the_gpgpusim->the_context; }
void ptxinfo_data::ptxinfo_addinfo() { clear_ptxinfo(); }
void register_ptx_function(const char*, function_info*) {}

// Fills new memory with zeros. GPGPU-Sim leaves some members uninitialised, such as the widths of stages that
// a configuration does not name; with zeros, each repetition of a run gives the same results.
void* operator new(std::size_t bytes) {
  void* const memory = std::calloc(1, bytes ? bytes : 1);
  if (!memory) std::abort();
  return memory;
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace heddle::correlation {

namespace {

gpgpu_sim* gpu = nullptr;
symbol_table* symbols = nullptr;

void write_initial(symbol* variable) {
  if (!variable->has_initializer()) return;
  std::size_t bits = 0;
  int basic = 0;
  variable->type()->get_key().type_decode(bits, basic);
  std::uint64_t address = variable->get_address();
  for (operand_info element : variable->get_initializer()) {
    ptx_reg_t value = element.get_literal_value();
    gpu->get_global_memory()->write(address, bits / 8, &value, nullptr, nullptr);
    address += bits / 8;
  }
}

symbol* variable_of(const std::string& name) {
  symbol* const found = symbols->lookup(name.c_str());
  return found && (found->is_global() || found->is_const()) ? found : nullptr;
}

}  // namespace

Simulator::Simulator(const std::string& ptx) {
  gpgpu_context* const context = GPGPU_Context();
  gpu = context->gpgpu_ptx_sim_init_perf();
  static cudaDeviceProp properties;
  properties.major = 2;
  properties.warpSize = 32;
  gpu->set_prop(&properties);
  context->the_gpgpusim->the_cude_device = new _cuda_device_id(gpu);
  context->the_gpgpusim->the_context = new CUctx_st(context->the_gpgpusim->the_cude_device);
  symbols = context->gpgpu_ptx_sim_load_ptx_from_string(ptx.c_str(), 1);
  for (auto i = symbols->global_iterator_begin(); i != symbols->global_iterator_end(); ++i) write_initial(*i);
  for (auto i = symbols->const_iterator_begin(); i != symbols->const_iterator_end(); ++i) write_initial(*i);
}

void Simulator::write(std::uint64_t address, const void* data, std::size_t bytes, bool copied) {
  const auto* const from = static_cast<const char*>(data);
  for (std::size_t i = 0; i < bytes; ++i)
    gpu->get_global_memory()->write(address + i, 1, from + i, nullptr, nullptr);
  if (copied) gpu->perf_memcpy_to_gpu(address, bytes);
}

void Simulator::read(std::uint64_t address, void* data, std::size_t bytes) {
  auto* const to = static_cast<char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) gpu->get_global_memory()->read(address + i, 1, to + i);
}

bool Simulator::write_variable(const std::string& name, const void* data, std::size_t bytes) {
  const symbol* const variable = variable_of(name);
  if (variable) write(variable->get_address(), data, bytes, false);
  return variable;
}

bool Simulator::read_variable(const std::string& name, void* data, std::size_t bytes) {
  const symbol* const variable = variable_of(name);
  if (variable) read(variable->get_address(), data, bytes);
  return variable;
}

std::uint64_t Simulator::launch(const Launch& launch) {
  symbol* const found = symbols->lookup(launch.kernel.c_str());
  if (!found || !found->get_pc()) throw std::runtime_error("GPGPU-Sim has no kernel " + launch.kernel);
  function_info* const function = found->get_pc();
  gpgpu_ptx_sim_info info{};
  info.regs = static_cast<int>(launch.registers);
  info.smem = static_cast<int>(launch.shared_bytes);
  info.ptx_version = info.sm_target = 20;
  function->set_kernel_info(info);
  const auto* const g = launch.grid;
  const auto* const b = launch.block;
  auto* const kernel = new kernel_info_t(dim3(g[0], g[1], g[2]), dim3(b[0], b[1], b[2]), function,
                                         gpu->getNameArrayMapping(), gpu->getNameInfoMapping());
  for (unsigned i = 0; i < launch.parameters.size(); ++i) {
    const Parameter& p = launch.parameters[i];
    gpgpu_ptx_sim_arg argument(p.data, p.bytes, p.offset);
    function->add_param_data(i, &argument);
  }
  function->finalize(kernel->get_param_memory());
  if (!function->is_pdom_set()) {
    function->do_pdom();
    function->set_pdom();
  }
  gpu->set_cache_config(kernel->name());
  gpu->launch(kernel);
  gpu->init();
  while (gpu->active()) {
    gpu->cycle();
    gpu->deadlock_check();
  }
  const std::uint64_t cycles = gpu->gpu_sim_cycle;
  gpu->print_stats();
  gpu->update_stats();
  while (gpu->finished_kernel()) continue;
  return cycles;
}

}  // namespace heddle::correlation
