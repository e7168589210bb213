#ifndef HOST

// Each thread keeps its numbers in a list, and a block a table that the next launches could use.
// run: grid=3 block=32 shared=0 args=in:u32:96:random,out:u32:96:zeros
extern "C" __global__ void kernel_heap(const unsigned* in, unsigned* out) {
  struct Node {
    unsigned value;
    Node* next;
  };
  __shared__ unsigned* table;
  const unsigned t = threadIdx.x;
  const unsigned i = 32 * blockIdx.x + t;
  if (t == 0) table = new unsigned[32];
  __syncthreads();
  Node* list = nullptr;
  for (unsigned k = 0; k <= in[i] % 5; ++k) {
    auto* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = (in[i] >> k) ^ k;
    node->next = list;
    list = node;
  }
  unsigned sum = 0;
  while (list != nullptr) {
    sum = 7 * sum + list->value;
    Node* next = list->next;
    free(list);
    list = next;
  }
  table[31 - t] = sum;
  __syncthreads();
  out[i] = table[t];
  __syncthreads();
  if (t == 0) delete[] table;
}

#else

void kernel_heap_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 96; ++i) {
    const unsigned from = i / 32 * 32 + 31 - i % 32;
    for (unsigned k = in[from] % 5 + 1; k-- > 0;) out[i] = 7 * out[i] + ((in[from] >> k) ^ k);
  }
}

#endif
