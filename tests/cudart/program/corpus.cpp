#include "agpusim/tests/ptx/corpus.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"

namespace agpusim::test {
namespace {

/// What the kernel leaves in its buffers, which begin with `buffers`.
std::vector<std::vector<std::byte>> launched(const ptx::CorpusKernel& kernel,
                                             const ptx::Program& program,
                                             const ptx::Arguments& arguments) {
  std::vector<std::byte> parameters = arguments.parameters();
  std::vector<void*> on_device;
  for (const ptx::Buffer& buffer : arguments.buffers()) {
    void*& pointer = on_device.emplace_back();
    cudaMalloc(&pointer, buffer.bytes());
    cudaMemcpy(pointer, reinterpret_cast<const void*>(buffer.address), buffer.bytes(),
               host_to_device);
    for (std::size_t at = 0; at + sizeof pointer <= parameters.size(); at += sizeof pointer) {
      const bool is_here = std::memcmp(&parameters[at], &buffer.address, sizeof pointer) == 0;
      if (is_here) std::memcpy(&parameters[at], &pointer, sizeof pointer);
    }
  }
  std::vector<void*> addresses;
  for (const ptx::Parameter& parameter : program.parameters) {
    addresses.push_back(&parameters[parameter.offset]);
  }
  const auto dim = [](const std::string& text) {
    const ptx::Dim3 value = ptx::dim3_of(text);
    return dim3{value.x, value.y, value.z};
  };
  Handle handle = nullptr;
  __cudaGetKernel(&handle, &kernel);
  std::vector<std::vector<std::byte>> after;
  const bool ran = __cudaLaunchKernel(handle, dim(kernel.grid), dim(kernel.block), addresses.data(),
                                      kernel.shared, nullptr) == success;
  for (std::size_t i = 0; ran && i < on_device.size(); ++i) {
    after.emplace_back(arguments.buffers()[i].bytes());
    cudaMemcpy(after.back().data(), on_device[i], after.back().size(), device_to_host);
  }
  return after;
}

}  // namespace

void run_corpus() {
  std::vector<std::unique_ptr<Registered>> codes;
  for (const ptx::CorpusKernel& kernel : ptx::corpus("programs")) {
    if (kernel.tolerance > 0) continue;
    const std::string text = ptx::corpus_text(kernel.file);
    codes.push_back(std::make_unique<Registered>(fat_binary(text)));
    codes.back()->kernel(&kernel, kernel.name.c_str());
    const auto program = ptx::Program::compile(
        std::make_shared<const ptx::Module>(ptx::Module::parse(text, kernel.file)), kernel.name);
    ptx::Memory memory{AgpuSpec{}};
    const ptx::Arguments arguments(*program, kernel.arguments, memory, 17);
    std::vector<std::vector<std::byte>> expected;
    for (const ptx::Buffer& buffer : arguments.buffers()) {
      const auto* const at = reinterpret_cast<const std::byte*>(buffer.address);
      expected.emplace_back(at, at + buffer.bytes());
    }
    for (const ptx::NamedReference& named : ptx::references()) {
      if (named.name == kernel.name) named.reference(expected);
    }
    if (launched(kernel, *program, arguments) == expected) continue;
    std::printf("%s: not what the host computes\n", kernel.name.c_str());
    std::fflush(stdout);
    std::_Exit(1);
  }
}

}  // namespace agpusim::test
