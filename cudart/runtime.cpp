#include "agpusim/cudart/runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <pthread.h>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/api.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim::cudart {
namespace {

bool is_forked = false;          // from a process that has called: the child has no device
Runtime* the_runtime = nullptr;  // never deleted: destructors of the program may still call

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

exec::Settings settings_of_environment() {
  const std::string text = environment(exec::settings_variable);
  if (!text.empty()) return exec::settings_of(text);
  exec::Settings settings;
  settings.device_file = (data_folder() / "devices" / "h200.json").string();
  return settings;
}

bool has(const exec::Settings& settings, std::string_view check) {
  return std::find(settings.checks.begin(), settings.checks.end(), check) != settings.checks.end();
}

ptx::Options options_for(const exec::Settings& settings, const DeviceFile& card) {
  ptx::Options options;
  options.races = has(settings, "races");
  options.unwritten = has(settings, "init");
  options.keeps_phases = false;
  options.execution = true;
  options.caches = caches_of(card);
  options.loop_seconds = settings.loop_seconds;
  return options;
}

/// The machine of that name, whose CTA may have all shared memory of a multiprocessor.
AgpuSpec spec_for(const exec::Settings& settings, const DeviceFile& card) {
  for (const Machine& machine : card.machines) {
    if (machine.name != settings.machine) continue;
    AgpuSpec spec = machine.spec;
    spec.shared_words = static_cast<std::int64_t>(card.value("shared_bytes_per_cta")) / 4;
    return spec;
  }
  throw UsageError(fmt::format("{} has no machine {}", settings.device_file, settings.machine));
}

/// Runs after the destructors of the program.
__attribute__((destructor)) void end_of_process() {
  if (the_runtime != nullptr) the_runtime->reporter.end();
}

}  // namespace

/// Called by this library where it registers a destructor of a static object, which never runs:
/// objects of the program that are destroyed later may still call.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (* /*destructor*/)(void*),
                                                                  void* /*object*/,
                                                                  void* /*library*/) noexcept {
  return 0;
}

Runtime::Runtime(exec::Settings from_settings, DeviceFile from_card)
    : settings(std::move(from_settings)),
      card(std::move(from_card)),
      spec(spec_for(settings, card)),
      device(spec, options_for(settings, card)),
      reporter(environment(exec::report_variable)) {
  device.memory().set_sources([this](std::size_t bytes) { return hidden.of_device.take(bytes); },
                              [this](std::size_t bytes) { return hidden.of_host.take(bytes); });
  if (has(settings, "sync")) device.memory().note_uses(ptx::Memory::Noted::of_host);
  watch_host();
  // What one launch gives back, the next one takes again: the system is not asked each time.
  constexpr int kept_bytes = 64 << 20;
  constexpr int largest_of_heap = 32 << 20;  // bytes; the most that glibc allows
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  mallopt(M_MMAP_THRESHOLD, largest_of_heap);
}

Runtime* Runtime::get() {
  if (is_forked) return nullptr;
  static const bool made = [] {
    pthread_atfork(nullptr, nullptr, [] { is_forked = true; });
    try {
      exec::Settings settings = settings_of_environment();
      DeviceFile card = load_device(settings.device_file);
      the_runtime = new Runtime(std::move(settings), std::move(card));
      const auto go_on = [] { the_runtime->reporter.mutex.unlock(); };
      pthread_atfork([] { the_runtime->reporter.mutex.lock(); }, go_on, go_on);
      return true;
    } catch (const std::exception& error) {
      fmt::print(stderr, "agpusim: no device can be simulated: {}\n", error.what());
      return false;
    }
  }();
  return made ? the_runtime : nullptr;
}

bool Runtime::has_check(std::string_view check) const { return has(settings, check); }

std::size_t Runtime::total_bytes() const {
  return static_cast<std::size_t>(card.value("memory_bytes"));
}

const Owned* Runtime::owner(const void* pointer) const {
  auto next = memory.upper_bound(pointer);
  if (next == memory.begin()) return nullptr;
  --next;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) -
                                               static_cast<const std::byte*>(next->first));
  return offset < next->second.bytes ? &next->second : nullptr;
}

ptx::Allocation* Runtime::allocation(const void* pointer) {
  ptx::Allocation* const held = device.memory().find(reinterpret_cast<ptx::Address>(pointer));
  return held == nullptr || held->released ? nullptr : held;
}

ptx::Address Runtime::address_of(DeviceCode& code, std::string_view variable) {
  const Opened opened(hidden);  // it is given its value where the module is new
  return device.address_of(code.module(), variable);
}

std::size_t Runtime::most_shared() const { return static_cast<std::size_t>(4 * spec.shared_words); }

int Runtime::resident(Kernel& kernel, std::int64_t threads, std::size_t dynamic_shared) const {
  const ptx::Program& program = *kernel.program();
  if (threads < 1 || threads > program.max_threads) return 0;
  const std::int64_t warps = (threads + 31) / 32;
  const std::uint32_t registers =
      ptx::registers_of(program, kernel.machine_code(), static_cast<std::uint32_t>(warps));
  const auto shared = static_cast<std::int64_t>(program.shared_bytes + dynamic_shared);
  return static_cast<int>(multiprocessor_of(card).resident(warps, registers, shared).ctas);
}

void Runtime::wait() {
  std::fwrite(printed_.data(), 1, printed_.size(), stdout);
  printed_.clear();
}

}  // namespace agpusim::cudart
