#include "agpusim/commands/exercise/process.hpp"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace agpusim::exercise {

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif
// First number of x86-64's other ABI, whose calls are refused as a whole.
constexpr std::uint32_t first_foreign = 0x40000000;

/// Processes, the network, and whatever changes files or other processes.
constexpr std::array refused = {
    __NR_socket,     __NR_socketpair,     __NR_clone,           __NR_clone3,
    __NR_kill,       __NR_ptrace,         __NR_setsid,          __NR_setpgid,
    __NR_unlinkat,   __NR_renameat2,      __NR_mkdirat,         __NR_linkat,
    __NR_symlinkat,  __NR_fchmodat,       __NR_fchownat,        __NR_truncate,
    __NR_openat2,    __NR_utimensat,      __NR_mknodat,         __NR_process_vm_writev,
    __NR_pidfd_open, __NR_io_uring_setup, __NR_rt_sigqueueinfo,
#if defined(__x86_64__)
    __NR_fork,       __NR_vfork,          __NR_unlink,          __NR_rename,
    __NR_mkdir,      __NR_link,           __NR_symlink,         __NR_chmod,
    __NR_chown,      __NR_creat,          __NR_rmdir,           __NR_renameat,
    __NR_mknod,
#endif
};

constexpr sock_filter statement(std::uint16_t code, std::uint32_t value) {
  return {code, 0, 0, value};
}
constexpr sock_filter jump(std::uint16_t code, std::uint32_t value, std::uint8_t yes,
                           std::uint8_t no) {
  return {code, yes, no, value};
}

}  // namespace

bool forbid_calls() {
  constexpr std::uint32_t denied = SECCOMP_RET_ERRNO | EPERM;
  constexpr std::uint16_t load = BPF_LD | BPF_W | BPF_ABS;
  constexpr std::uint16_t equal = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr std::uint16_t at_least = BPF_JMP | BPF_JGE | BPF_K;
  constexpr std::uint16_t any_bit = BPF_JMP | BPF_JSET | BPF_K;
  constexpr std::uint16_t result = BPF_RET | BPF_K;
  constexpr std::uint32_t changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  std::array<sock_filter, 2 * refused.size() + 20> filter{};
  std::size_t size = 0;
  const auto add = [&](sock_filter one) { filter[size++] = one; };
  add(statement(load, offsetof(seccomp_data, arch)));
  add(jump(equal, architecture, 1, 0));
  add(statement(result, SECCOMP_RET_KILL_PROCESS));
  add(statement(load, offsetof(seccomp_data, nr)));
  add(jump(at_least, first_foreign, 0, 1));
  add(statement(result, denied));
  for (const long call : refused) {
    add(jump(equal, static_cast<std::uint32_t>(call), 0, 1));
    add(statement(result, denied));
  }
  // Files are opened for reading only.
  add(jump(equal, __NR_openat, 0, 3));
  add(statement(load, offsetof(seccomp_data, args[2])));
  add(jump(any_bit, changes, 0, 1));
  add(statement(result, denied));
#if defined(__x86_64__)
  add(statement(load, offsetof(seccomp_data, nr)));
  add(jump(equal, __NR_open, 0, 3));
  add(statement(load, offsetof(seccomp_data, args[1])));
  add(jump(any_bit, changes, 0, 1));
  add(statement(result, denied));
#endif
  add(statement(result, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(size), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

bool forbid_calls() { return false; }

#endif

}  // namespace agpusim::exercise
