// Idioms of order between kernels, copies and the host: HOST_IDIOM(name, rule), read by
// tests/memory_model/host_test.cpp. Where it is not right, a finding of the rule is expected.
#include <array>
#include <map>

#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::test {
namespace {

using HostIdiom = void (*)(bool right);
std::map<std::string, HostIdiom>& host_idioms() {
  static std::map<std::string, HostIdiom> all;
  return all;
}
#define HOST_IDIOM(name, rule)                                                              \
  void name(bool right);                                                                    \
  [[maybe_unused]] const bool name##_is_listed = host_idioms().emplace(#name, name).second; \
  void name(bool right)

enum Kernel { fill, add, copy, exchange, count, kernels };
std::array<char, kernels> stand;  ///< its addresses stand for kernels

void register_kernels() {
  static const Registered code(fat_binary(content(AGPUSIM_TEST_DIR "/memory_model/host.ptx")));
  const std::array names = {"fill", "add", "copy", "exchange", "count"};
  for (std::size_t i = 0; i < names.size(); ++i) code.kernel(&stand[i], names[i]);
  __cudaRegisterFatBinaryEnd(code.code);
}

template <class... Arguments>
void launch(Kernel kernel, Handle stream, Arguments... arguments) {
  std::array<void*, sizeof...(arguments)> addresses = {&arguments...};
  EXPECT(cudaLaunchKernel(&stand[kernel], {1}, {64}, addresses.data(), 0, stream) == success);
}

constexpr std::size_t bytes = 512;  ///< an array has so many, of which a kernel uses 256
enum class Of { device, managed, pinned };

int* array(Of memory, bool is_written = true) {
  void* pointer = nullptr;
  if (memory == Of::device) EXPECT(cudaMalloc(&pointer, bytes) == success);
  if (memory == Of::managed) EXPECT(cudaMallocManaged(&pointer, bytes, 1) == success);
  if (memory == Of::pinned) EXPECT(cudaHostAlloc(&pointer, bytes, 0) == success);
  if (is_written && memory == Of::device) EXPECT(cudaMemset(pointer, 0, bytes) == success);
  EXPECT(cudaDeviceSynchronize() == success);
  return static_cast<int*>(pointer);
}

Handle new_stream(bool blocks = false) {
  Handle stream = nullptr;
  EXPECT(cudaStreamCreateWithPriority(&stream, blocks ? 0 : 1, 0) == success);
  return stream;
}

Handle new_event() {
  Handle event = nullptr;
  EXPECT(cudaEventCreate(&event) == success);
  return event;
}

/// Two streams that do not block, an array of some memory and one of the device.
struct Scene {
  Handle first, second;
  int *a, *b;
};
Scene scene(Of memory) { return {new_stream(), new_stream(), array(memory), array(Of::device)}; }

/// What `later` is asked for comes after what `earlier` was asked for.
void order(Handle earlier, Handle later) {
  const Handle event = new_event();
  EXPECT(cudaEventRecord(event, earlier) == success);
  EXPECT(cudaStreamWaitEvent(later, event, 0) == success);
}

void read(const int* word) { (void)*const_cast<const volatile int*>(word); }
void write(int* word) { *const_cast<volatile int*>(word) = 5; }

HOST_IDIOM(one_stream_or_two, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  launch(fill, first, a, 7);
  launch(add, right ? first : second, a, 1);
}

HOST_IDIOM(event_between_streams, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  launch(fill, first, a, 7);
  if (right) order(first, second);
  launch(copy, second, a, b);
}

HOST_IDIOM(event_orders_reads_before_writes, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  launch(copy, first, a, b);
  if (right) order(first, second);
  launch(fill, second, a, 7);
}

HOST_IDIOM(event_is_recorded_behind_the_kernel, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  if (!right) order(first, second);
  launch(fill, first, a, 7);
  if (right) order(first, second);
  launch(add, second, a, 1);
}

HOST_IDIOM(event_is_waited_for_in_the_other_stream, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  launch(fill, first, a, 7);
  order(first, right ? second : first);
  launch(add, second, a, 1);
}

HOST_IDIOM(order_of_events_is_transitive, race_or_order) {
  const Handle first = new_stream();
  const Handle second = new_stream();
  const Handle third = new_stream();
  int* const a = array(Of::device);
  launch(fill, first, a, 7);
  order(first, second);
  if (right) order(second, third);
  launch(add, third, a, 1);
}

HOST_IDIOM(stream_synchronize_between_streams, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  launch(fill, first, a, 7);
  EXPECT(cudaStreamSynchronize(right ? first : second) == success);
  launch(add, second, a, 1);
}

HOST_IDIOM(blocking_stream_waits_for_the_default_stream, race_or_order) {
  const Handle stream = new_stream(right);
  int* const a = array(Of::device);
  launch(fill, nullptr, a, 7);
  launch(add, stream, a, 1);
}

HOST_IDIOM(default_stream_waits_for_blocking_streams, race_or_order) {
  const Handle stream = new_stream(right);
  int* const a = array(Of::device);
  launch(fill, stream, a, 7);
  launch(add, nullptr, a, 1);
}

HOST_IDIOM(default_stream_between_two_blocking_ones, race_or_order) {
  const Handle first = new_stream(true);
  const Handle second = new_stream(true);
  int* const a = array(Of::device);
  int* const b = array(Of::device);
  launch(fill, first, a, 7);
  if (right) launch(fill, nullptr, b, 1);
  launch(add, second, a, 1);
}

HOST_IDIOM(memcpy_waits_for_blocking_streams, race_or_order) {
  const Handle stream = new_stream(right);
  int* const a = array(Of::device);
  std::array<int, 64> own{};
  launch(fill, stream, a, 7);
  EXPECT(cudaMemcpy(own.data(), a, sizeof own, device_to_host) == success);
}

HOST_IDIOM(streams_write_their_own_parts, race_or_order) {
  int* const a = array(Of::device);
  launch(fill, new_stream(), a, 7);
  launch(fill, new_stream(), a + (right ? 64 : 32), 8);
}

HOST_IDIOM(streams_only_read, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  int* const c = right ? array(Of::device) : b;
  launch(copy, first, a, b);
  launch(copy, second, a, c);
  launch(add, second, c, 1);
}

HOST_IDIOM(memset_in_another_stream, race_or_order) {
  const auto [first, second, a, b] = scene(Of::device);
  EXPECT(cudaMemsetAsync(a, 1, bytes, first) == success);
  launch(add, right ? first : second, a, 1);
}

HOST_IDIOM(copy_in_another_stream, race_or_order) {
  const auto [copies, computes, pinned, a] = scene(Of::pinned);
  EXPECT(cudaMemcpyAsync(a, pinned, bytes, host_to_device, copies) == success);
  if (right) order(copies, computes);
  launch(add, computes, a, 1);
}

HOST_IDIOM(copy_out_in_another_stream, race_or_order) {
  const auto [copies, computes, pinned, a] = scene(Of::pinned);
  launch(add, computes, a, 1);
  if (right) order(computes, copies);
  EXPECT(cudaMemcpyAsync(pinned, a, bytes, device_to_host, copies) == success);
}

HOST_IDIOM(pool_memory_of_another_stream, race_or_order_or_freed) {
  const Handle first = new_stream();
  const Handle second = new_stream();
  void* pooled = nullptr;
  EXPECT(cudaMallocAsync(&pooled, bytes, first) == success);
  launch(fill, first, static_cast<int*>(pooled), 7);
  order(first, second);
  launch(add, second, static_cast<int*>(pooled), 1);
  if (right) order(second, first);
  EXPECT(cudaFreeAsync(pooled, first) == success);
}

HOST_IDIOM(managed_read_after_synchronize, race_or_host) {
  int* const a = array(Of::managed);
  launch(fill, nullptr, a, 7);
  if (right) EXPECT(cudaDeviceSynchronize() == success);
  read(a);
}

HOST_IDIOM(managed_write_after_synchronize, race_or_host) {
  int* const a = array(Of::managed);
  launch(copy, nullptr, a, array(Of::device));
  if (right) EXPECT(cudaDeviceSynchronize() == success);
  write(a);
}

HOST_IDIOM(managed_write_before_the_launch, race_or_host) {
  int* const a = array(Of::managed);
  if (right) write(a);
  launch(add, nullptr, a, 1);
  if (!right) write(a);
}

HOST_IDIOM(managed_parts_of_host_and_kernel, race_or_host) {
  int* const a = array(Of::managed);
  launch(fill, nullptr, a, 7);
  read(a + (right ? 100 : 10));
}

HOST_IDIOM(managed_array_of_no_kernel, race_or_host) {
  int* const a = array(Of::managed);
  int* const b = array(Of::managed);
  launch(fill, nullptr, a, 7);
  write(right ? b : a);
}

HOST_IDIOM(host_and_kernel_only_read, race_or_host) {
  int* const a = array(Of::managed);
  launch(copy, nullptr, a, array(Of::device));
  right ? read(a) : write(a);
}

HOST_IDIOM(pinned_memory_of_a_kernel, race_or_host) {
  int* const a = array(Of::pinned);
  launch(fill, nullptr, a, 7);
  if (right) EXPECT(cudaStreamSynchronize(nullptr) == success);
  read(a);
}

HOST_IDIOM(pinned_copy_is_waited_for, race_or_host) {
  const auto [stream, other, pinned, a] = scene(Of::pinned);
  launch(fill, stream, a, 7);
  EXPECT(cudaMemcpyAsync(pinned, a, bytes, device_to_host, stream) == success);
  if (right) EXPECT(cudaStreamSynchronize(stream) == success);
  read(pinned);
}

HOST_IDIOM(pinned_source_is_kept, race_or_host) {
  const auto [stream, other, pinned, a] = scene(Of::pinned);
  EXPECT(cudaMemcpyAsync(a, pinned, bytes, host_to_device, stream) == success);
  if (right) EXPECT(cudaStreamSynchronize(stream) == success);
  write(pinned);
}

HOST_IDIOM(synchronizes_the_right_stream, race_or_host) {
  const auto [first, second, a, b] = scene(Of::managed);
  launch(fill, first, a, 7);
  EXPECT(cudaStreamSynchronize(right ? first : second) == success);
  read(a);
}

HOST_IDIOM(event_synchronize, race_or_host) {
  const auto [stream, other, a, b] = scene(Of::managed);
  const Handle event = new_event();
  if (!right) EXPECT(cudaEventRecord(event, stream) == success);
  launch(fill, stream, a, 7);
  if (right) EXPECT(cudaEventRecord(event, stream) == success);
  EXPECT(cudaEventSynchronize(event) == success);
  read(a);
}

HOST_IDIOM(event_is_polled, race_or_host) {
  const auto [stream, other, a, b] = scene(Of::managed);
  const Handle event = new_event();
  if (!right) EXPECT(cudaEventRecord(event, stream) == success);
  launch(fill, stream, a, 7);
  if (right) EXPECT(cudaEventRecord(event, stream) == success);
  while (cudaEventQuery(event) == not_ready) {
  }
  read(a);
}

HOST_IDIOM(stream_is_polled, race_or_host) {
  const auto [first, second, a, b] = scene(Of::managed);
  launch(fill, first, a, 7);
  while (cudaStreamQuery(right ? first : second) == not_ready) {
  }
  read(a);
}

HOST_IDIOM(host_counts_with_the_kernel, race_or_host) {
  const auto [stream, other, a, b] = scene(Of::managed);
  launch(count, stream, a, right);
  __atomic_fetch_add(a, 1, __ATOMIC_SEQ_CST);
  EXPECT(cudaStreamSynchronize(stream) == success);
}

HOST_IDIOM(stream_destroy_does_not_wait, race_or_host) {
  const auto [stream, other, a, b] = scene(Of::managed);
  launch(fill, stream, a, 7);
  if (right) EXPECT(cudaStreamSynchronize(stream) == success);
  EXPECT(cudaStreamDestroy(stream) == success);
  read(a);
}

HOST_IDIOM(memcpy_to_the_host_waits, race_or_host) {
  const auto [first, second, a, b] = scene(Of::managed);
  std::array<int, 64> own{};
  launch(fill, nullptr, a, 7);
  if (right) EXPECT(cudaMemcpy(own.data(), b, sizeof own, device_to_host) == success);
  read(a);
}

HOST_IDIOM(host_function_in_the_stream, race_or_host) {
  const auto [first, second, a, b] = scene(Of::managed);
  launch(fill, first, a, 7);
  const auto reads = [](void* data) { read(static_cast<int*>(data)); };
  EXPECT(cudaLaunchHostFunc(right ? first : second, reads, a) == success);
  EXPECT(cudaDeviceSynchronize() == success);
}

HOST_IDIOM(host_reads_device_memory, host) {
  int* const a = array(Of::device);
  std::array<int, 64> own{};
  EXPECT(cudaMemcpy(own.data(), a, sizeof own, device_to_host) == success);
  read(right ? own.data() : a);
}

HOST_IDIOM(host_writes_device_memory, host) {
  int* const a = array(Of::device);
  std::array<int, 128> own{};
  write(right ? own.data() : a);
  EXPECT(cudaMemcpy(a, own.data(), sizeof own, host_to_device) == success);
}

HOST_IDIOM(kernel_is_given_host_memory, host) {
  static std::array<int, 128> own{};
  if (right) EXPECT(cudaHostRegister(own.data(), sizeof own, 0) == success);
  launch(fill, nullptr, own.data(), 7);
  const int fault = cudaDeviceSynchronize();
  EXPECT(!right || fault == success);
}

HOST_IDIOM(copies_of_unwritten_memory, unwritten_global) {
  int* const a = array(Of::device, right);
  int* const b = array(Of::device, false);
  EXPECT(cudaMemcpy(b, a, bytes, device_to_device) == success);
  launch(add, nullptr, b, 1);
}

HOST_IDIOM(copies_of_half_an_array, unwritten_global) {
  int* const a = array(Of::device);
  int* const b = array(Of::device, false);
  EXPECT(cudaMemcpy(b, a, right ? 256 : 128, device_to_device) == success);
  launch(add, nullptr, b, 1);
}

HOST_IDIOM(sync_of_the_grid, race_in_global) {
  int* a = array(Of::device);
  std::array<void*, 2> arguments = {&a, &right};
  EXPECT(cudaLaunchCooperativeKernel(&stand[exchange], {2}, {32}, arguments.data(), 0, nullptr) ==
         success);
}

}  // namespace

bool run_host_idiom(const std::string& name) {
  const std::size_t end = name.rfind('_');
  const auto found = host_idioms().find(name.substr(0, end));
  if (found == host_idioms().end()) return false;
  register_kernels();
  found->second(name.substr(end) == "_right");
  EXPECT(cudaDeviceSynchronize() == success || name.substr(end) != "_right");
  return true;
}

}  // namespace agpusim::test
