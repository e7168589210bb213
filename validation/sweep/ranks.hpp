#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace agpusim::sweep {

/// What the ranks of a job tell each other.
enum class Note : std::uint8_t {
  ready,   ///< to rank 0: a rank waits for runs; which sweep it has
  alive,   ///< sent again and again while nothing else is
  run,     ///< from rank 0: count it
  point,   ///< to rank 0: it is counted
  failed,  ///< to rank 0: an error, which ends the job
  stop,    ///< from rank 0: there is nothing left to count
  end,     ///< from rank 0: leave the job; "together" or "alone"
};

/// The processes of a job of MPI. One that dies is not waited for: no call does, but for the
/// destructor, for seconds. All calls come from the thread that made it.
class Ranks {
 public:
  /// Joins the job that mpirun started, or is one of one rank. Throws UsageError where agpusim was
  /// built without MPI.
  Ranks();
  /// Of rank 0: ends the job.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

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

  /// Of rank 0, whether a rank is dead: MPI would wait for it at the end.
  void set_incomplete(bool incomplete);

  /// Ends this process, which is not rank 0, as rank 0 says.
  [[noreturn]] void leave(const std::string& how);

 private:
  class Job;
  std::unique_ptr<Job> job_;
};

}  // namespace agpusim::sweep
