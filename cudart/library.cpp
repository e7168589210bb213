#include "agpusim/cudart/library.hpp"

#include <utility>

#include "agpusim/cudart/copy.hpp"
#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {
namespace {

void use(Runtime& runtime, UsedMemory memory, ptx::Uses& uses) {
  constexpr std::size_t most = 1 << 14;  // rows that are told apart
  if (memory.bytes == 0 || memory.rows == 0) return;
  if (memory.pitch == memory.bytes) {
    memory.bytes = times(memory.bytes, std::exchange(memory.rows, 1));
  }
  require_on_device(runtime, memory.begin,
                    plus(times(memory.rows - 1, memory.pitch), memory.bytes));
  auto begin = reinterpret_cast<ptx::Address>(memory.begin);
  for (std::size_t row = 0; row < memory.rows; ++row, begin += memory.pitch) {
    if (memory.is_written) runtime.device.memory().mark_written(begin, memory.bytes);
    if (memory.rows > most) continue;
    uses[memory.is_written ? ptx::Use::write : ptx::Use::read].add({begin, begin + memory.bytes});
  }
}

Status compute(Runtime& runtime, const LibraryCall& wanted) {
  ptx::Uses uses;
  const Opened opened(runtime.hidden);
  wanted.compute([&](const UsedMemory& memory) { use(runtime, memory, uses); });
  runtime.used(wanted.function, "", std::move(uses));
  runtime.reporter.computed(wanted.library, wanted.function);
  return Status::success;
}

}  // namespace

AGPUSIM_CUDART Status agpusimCallLibrary(const LibraryCall& wanted) {
  library_function = wanted.function.c_str();
  const Status status = call([&](Runtime& runtime) {
    const Stream& stream = stream_of(wanted.stream);
    if (wanted.waits && stream.is_captured()) return Status::stream_capture_unsupported;
    if (wanted.waits) synchronize(runtime, last_of(stream), moment_of(runtime, stream));
    const Status done = submit(wanted.stream, [=, &runtime] { return compute(runtime, wanted); });
    if (wanted.waits) runtime.host_waits(moment_of(runtime, stream));
    return done;
  });
  library_function = nullptr;
  return status;
}

AGPUSIM_CUDART void agpusimRefuse(const std::string& function) {
  call([&](Runtime& runtime) {
    runtime.reporter.unsupported(function.c_str());
    return Status::not_supported;
  });
}

}  // namespace agpusim::cudart
