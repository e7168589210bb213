// Five kernels of other fields, as a user of agpusim writes them.
#include "gelu.hpp"
#include "k_means.hpp"
#include "layer_norm.hpp"
#include "n_body.hpp"
#include "softmax.hpp"

int main(int argc, char** argv) {
  using namespace examples;
  return agpusim::main(argc, argv, {gelu(), softmax(), layer_norm(), n_body(), k_means()});
}
