// What the program's host half may not use: the system says so by a signal.
#include <algorithm>
#include <array>
#include <csignal>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <filesystem>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {
namespace {

struct sigaction others;  // what the process does otherwise

/// "prog+0x11a4", as addr2line takes the number: where the program is, or has called a library.
std::string place_of_program(std::uintptr_t faults_at) {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  Dl_info program;
  if (dladdr(reinterpret_cast<void*>(getauxval(AT_ENTRY)), &program) == 0) return "?";
  const auto begin = reinterpret_cast<std::uintptr_t>(program.dli_fbase);
  const bool is_fixed = static_cast<const Elf64_Ehdr*>(program.dli_fbase)->e_type == ET_EXEC;
  const std::string name = std::filesystem::path(program.dli_fname).filename();
  for (int i = 0; i < count; ++i) {
    auto at = reinterpret_cast<std::uintptr_t>(frames.at(static_cast<std::size_t>(i)));
    if (at != faults_at) --at;  // it is behind a call
    Dl_info here;
    if (dladdr(reinterpret_cast<void*>(at), &here) == 0 || here.dli_fbase != program.dli_fbase)
      continue;
    return fmt::format("{}+0x{:x}", name, is_fixed ? at : at - begin);
  }
  return name;
}

/// "reads offset 12 of 256 bytes of allocation 2".
std::string access_text(const ptx::Allocation* held, const void* address, bool writes) {
  const char* const verb = writes ? "writes to" : "reads";
  if (held == nullptr) return fmt::format("{} no allocation", verb);
  return fmt::format("{} offset {} of {} bytes of {}", verb,
                     reinterpret_cast<ptx::Address>(address) - held->begin, held->bytes,
                     held->name);
}

void report(Runtime& runtime, ptx::Rule rule, std::uintptr_t at, const ptx::Allocation* held,
            std::string text, const std::string& kernel = "") {
  ptx::Finding finding;
  finding.rule = rule;
  finding.where.at.file = place_of_program(at);
  finding.times = 1;
  if (held != nullptr) finding.array = held->name;
  finding.text = std::move(text);
  finding.remedy = ptx::remedy_of(rule, false);
  runtime.reporter.found({.kernel = kernel, .finding = std::move(finding)});
}

/// Whether the access was one that the program may make again, or goes on after a finding.
bool goes_on(Runtime& runtime, const void* address, bool writes, std::uintptr_t at) {
  constexpr useconds_t pause = 1000;
  constexpr int most_pauses = 1000;
  thread_local int pauses = 0;
  const bool is_of_host = runtime.hidden.of_host.holds(address);
  std::unique_lock lock(runtime.mutex, std::defer_lock);
  if (!is_in_call && !lock.try_lock()) {  // another thread may change what is hidden
    if (!is_of_host && ++pauses > most_pauses) return false;
    usleep(pause);
    return true;
  }
  pauses = 0;
  if (is_of_host || runtime.hidden.hides(address)) {
    runtime.host_touches(address, writes, at);
    return true;
  }
  if (runtime.hidden.of_device.holds(address)) {
    const ptx::Allocation* const held = runtime.allocation(address);
    report(runtime, ptx::Rule::host_access, at, held, access_text(held, address, writes));
  }
  return false;
}

void on_fault(int number, siginfo_t* info, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr greg_t is_write = 2;  // bit of the error code of a page fault
  Runtime* const runtime = Runtime::get();
  const bool is_sent = info->si_code <= 0;  // by a process
  if (runtime != nullptr && !is_sent &&
      goes_on(*runtime, info->si_addr, (registers[REG_ERR] & is_write) != 0,
              static_cast<std::uintptr_t>(registers[REG_RIP]))) {
    return;
  }
  if ((others.sa_flags & SA_SIGINFO) != 0) return others.sa_sigaction(number, info, context);
  if (others.sa_handler != SIG_DFL && others.sa_handler != SIG_IGN) {
    return others.sa_handler(number);
  }
  sigaction(SIGSEGV, &others, nullptr);  // the access is made again, and ends the program
  if (is_sent) raise(number);
}

}  // namespace

void watch_host() {
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, &others);
}

ptx::Range pages_of(const ptx::Allocation& allocation, const ptx::Range& bytes) {
  const auto down = [](std::uint64_t at) { return at / host_page * host_page; };
  const auto up = [](std::uint64_t at) { return (at + host_page - 1) / host_page * host_page; };
  // What the program has registered has neighbours in its first and last page.
  const bool is_own = allocation.memory != nullptr;
  const bool is_small = is_own && allocation.bytes <= host_page;
  const bool from_begin = is_small || (is_own && bytes.begin == allocation.begin);
  const bool to_end = is_small || (is_own && bytes.end == allocation.end());
  const std::uint64_t begin = from_begin ? down(bytes.begin) : up(bytes.begin);
  return {begin, std::max(begin, to_end ? up(bytes.end) : down(bytes.end))};
}

void Runtime::used(std::string name, const std::string& kernel, ptx::Uses uses) {
  using ptx::Use;
  if (work == nullptr) return;
  const std::shared_ptr<StreamWork> done = std::exchange(work, nullptr);
  done->name = std::move(name);
  done->kernel = kernel;
  done->uses = std::move(uses);
  for (const Meeting& meeting : order.done(done)) {
    const auto* const held = allocation(reinterpret_cast<const void*>(meeting.bytes.begin));
    if (held == nullptr || !has_check("races")) continue;
    report(*this, ptx::Rule::unordered_streams, 0, held,
           fmt::format("{} {} bytes {} to {} of {}, which {} {} in another stream", done->name,
                       meeting.writes ? "writes" : "reads", meeting.bytes.begin - held->begin,
                       meeting.bytes.end - held->begin - 1, held->name, meeting.first->name,
                       meeting.first_writes ? "writes" : "reads"),
           kernel.empty() ? meeting.first->kernel : kernel);
  }
  if (!has_check("sync")) return;
  for (const Use use : {Use::strong_write, Use::write, Use::atomic, Use::read}) {
    for (const ptx::Range& range : done->uses[use]) {
      const auto* const held = allocation(reinterpret_cast<const void*>(range.begin));
      if (held == nullptr || !held->of_host) continue;
      if (use == Use::strong_write) return;  // the host may wait for that value
      const ptx::Range pages = pages_of(*held, range);
      if (pages.begin < pages.end) done->pages.add(pages);
    }
  }
  hidden.hide(done->pages);
}

void Runtime::host_waits(const Moment& moment) {
  order.host_waits(moment);
  ptx::Ranges pages;
  for (const auto& each : order.in_flight()) {
    for (const ptx::Range& range : each->pages) pages.add(range);
  }
  hidden.hide(pages, true);
}

void Runtime::host_touches(const void* address, bool writes, std::uintptr_t at) {
  using ptx::Use;
  const ptx::Allocation* const held = allocation(address);
  const auto byte = reinterpret_cast<ptx::Address>(address);
  ptx::Range shown{byte / host_page * host_page, byte / host_page * host_page + host_page};
  for (const auto& each : order.in_flight()) {
    if (held == nullptr) break;
    const auto use = [&](Use one) { return each->uses[one].at(byte); };
    const bool is_written = use(Use::write).end != 0 || use(Use::atomic).end != 0;
    if (is_written || (writes && use(Use::read).end != 0)) {
      report(*this, ptx::Rule::missing_synchronize, at, held,
             fmt::format("{}, which {} {} and nobody has waited for",
                         access_text(held, address, writes), each->name,
                         is_written ? "writes" : "reads"),
             each->kernel);
      shown = pages_of(*held, {held->begin, held->end()});
      break;
    }
    if (use(Use::read).end != 0) shown = pages_of(*held, use(Use::read));
  }
  hidden.show(shown);
}

}  // namespace agpusim::cudart
