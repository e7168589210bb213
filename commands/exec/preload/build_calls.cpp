// Preloaded into the commands of `agpusim build`: an nvcc that they call by its path is the view's,
// and so is the runtime that they link without nvcc. It needs the C library alone.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <spawn.h>
#include <unistd.h>

namespace {

struct Call {
  const char* program;
  char* const* words;
};

/// Two texts as one, which lives as long as the process: until it becomes another, as a rule.
char* joined(const char* first, const char* second) {
  char* text = nullptr;
  return asprintf(&text, "%s%s", first, second) < 0 ? nullptr : text;
}

bool is_linker(const char* name) {
  return std::strcmp(name, "ld") == 0 || std::strncmp(name, "ld.", 3) == 0 ||
         std::strcmp(name, "collect2") == 0;
}

/// The words of a linker, with the view's folder of libraries before any other, and its runtime.
char* const* linked(char* const* words, const char* view) {
  std::size_t count = 0;
  while (words[count] != nullptr) ++count;
  const auto changed = static_cast<char**>(std::calloc(count + 2, sizeof(char*)));
  if (changed == nullptr || count == 0) return words;
  changed[0] = words[0];
  changed[1] = joined(joined("-L", view), "/lib64");
  for (std::size_t i = 1; i < count; ++i) {
    const char* const file = std::strrchr(words[i], '/');
    const bool is_runtime = file != nullptr && std::strcmp(file, "/libcudart_static.a") == 0;
    changed[i + 1] = is_runtime ? joined(changed[1] + 2, file) : words[i];
  }
  return changed;
}

/// What takes the place of a call. The variable is not set where nvcc itself calls.
Call changed(const char* program, char* const* words) {
  const char* const view = std::getenv("AGPUSIM_TOOLKIT_VIEW");
  if (view == nullptr || program == nullptr) return {program, words};
  const char* const slash = std::strrchr(program, '/');
  const char* const name = slash == nullptr ? program : slash + 1;
  if (std::strcmp(name, "nvcc") == 0) return {joined(view, "/bin/nvcc"), words};
  return {program, words != nullptr && is_linker(name) ? linked(words, view) : words};
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using Actions = posix_spawn_file_actions_t;
using Attributes = posix_spawnattr_t;

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int execve(const char* program, char* const* words, char* const* environment) noexcept {
  const Call call = changed(program, words);
  return next<decltype(execve)>("execve")(call.program, call.words, environment);
}
int execv(const char* program, char* const* words) noexcept {
  return execve(program, words, environ);
}
int execvpe(const char* program, char* const* words, char* const* environment) noexcept {
  const Call call = changed(program, words);
  return next<decltype(execvpe)>("execvpe")(call.program, call.words, environment);
}
int execvp(const char* program, char* const* words) noexcept {
  return execvpe(program, words, environ);
}
int posix_spawn(pid_t* child, const char* program, const Actions* actions, const Attributes* how,
                char* const* words, char* const* environment) {
  const Call call = changed(program, words);
  const auto spawn = next<decltype(posix_spawn)>("posix_spawn");
  return spawn(child, call.program, actions, how, call.words, environment);
}
int posix_spawnp(pid_t* child, const char* program, const Actions* actions, const Attributes* how,
                 char* const* words, char* const* environment) {
  const Call call = changed(program, words);
  const auto spawn = next<decltype(posix_spawnp)>("posix_spawnp");
  return spawn(child, call.program, actions, how, call.words, environment);
}
/// make looks for a program before it calls it.
int eaccess(const char* path, int mode) noexcept {
  return next<decltype(eaccess)>("eaccess")(changed(path, nullptr).program, mode);
}
}
