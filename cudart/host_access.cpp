// What the program's host half may not use: the system says so by a signal.
#include <array>
#include <csignal>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <filesystem>
#include <sys/auxv.h>
#include <ucontext.h>
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

/// The finding of an access to memory of the device.
void find_access(Runtime& runtime, const void* address, bool writes, std::uintptr_t at) {
  ptx::Finding finding;
  finding.rule = ptx::Rule::host_access;
  finding.where.at.file = place_of_program(at);
  finding.times = 1;
  finding.text = fmt::format("{} an address of the device", writes ? "writes to" : "reads");
  if (const ptx::Allocation* const held = runtime.allocation(address)) {
    finding.array = held->name;
    finding.text = fmt::format("{} offset {} of {} bytes of {}", writes ? "writes to" : "reads",
                               reinterpret_cast<ptx::Address>(address) - held->begin, held->bytes,
                               held->name);
  }
  finding.remedy = ptx::remedy_of(finding.rule, false);
  runtime.reporter.found({.kernel = "", .finding = std::move(finding)});
}

void on_fault(int number, siginfo_t* info, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr greg_t is_write = 2;  // bit of the error code of a page fault
  Runtime* const runtime = Runtime::get();
  if (runtime != nullptr && runtime->hidden.holds(info->si_addr)) {
    find_access(*runtime, info->si_addr, (registers[REG_ERR] & is_write) != 0,
                static_cast<std::uintptr_t>(registers[REG_RIP]));
  }
  if ((others.sa_flags & SA_SIGINFO) != 0) return others.sa_sigaction(number, info, context);
  if (others.sa_handler != SIG_DFL && others.sa_handler != SIG_IGN) {
    return others.sa_handler(number);
  }
  sigaction(SIGSEGV, &others, nullptr);  // the access is made again, and ends the program
}

}  // namespace

void watch_host() {
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, &others);
}

}  // namespace agpusim::cudart
