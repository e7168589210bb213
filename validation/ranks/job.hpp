#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace agpusim::ranks {

/// What the ranks of a job tell each other.
enum class Note : std::uint8_t {
  ready,   ///< to rank 0: a rank waits for tasks; the digest of its work
  alive,   ///< sent again and again while nothing else is
  task,    ///< from rank 0: do it
  result,  ///< to rank 0: it is done
  failed,  ///< to rank 0: an error, which ends the job
  stop,    ///< from rank 0: there is nothing left to do
  end,     ///< from rank 0: leave the job; "together" or "alone"
};

/// The processes of a job of MPI. One that dies is not waited for: no call does, but for the
/// destructor, for seconds. All calls come from the thread that made it.
class Job {
 public:
  /// Joins the job that mpirun started, or is one of one rank. Throws Unavailable where agpusim
  /// was built without MPI.
  Job();
  /// Ends the job where this is rank 0.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] std::size_t rank() const;
  [[nodiscard]] std::size_t size() const;

  struct Message {
    std::size_t from = 0;
    Note note = Note::alive;
    std::string text = {};
  };

  void send(std::size_t to, Note note, std::string text = {});
  /// A message that has come.
  [[nodiscard]] std::optional<Message> receive();

  /// Rank 0 tells whether a rank is dead: MPI would wait for it at the end.
  void set_incomplete(bool incomplete);

  /// Ends this process, which is not rank 0, as rank 0 says.
  [[noreturn]] void leave(const std::string& how);

 private:
  class Mpi;
  std::unique_ptr<Mpi> mpi_;
};

}  // namespace agpusim::ranks
