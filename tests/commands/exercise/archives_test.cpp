// Answers of a class: archives, names of students, files for Moodle and Gradescope.
#include <filesystem>

#include <nlohmann/json.hpp>

#include "agpusim/tests/cli/process.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

using namespace agpusim::test;

TEST_CASE("an archive that is none, empty or too large is refused beside those that are marked",
          "[cli][exercise]") {
  const TempFolder folder;
  REQUIRE(shell("cd " + folder.path().string() +
                " && printf 'barriers = 3\nalone = 5\n' > lanes_at_work.txt"
                " && mkdir eve && ln -s ../lanes_at_work.txt eve/lanes_at_work.txt"
                " && cmake -E tar cf ann.zip --format=zip lanes_at_work.txt eve"
                " && echo none > readme.txt && cmake -E tar cf tom.zip --format=zip readme.txt"
                " && printf 'PK\003\004 no archive' > bad.zip"
                " && for i in 1 2 3; do truncate -s 30M $i.bin; done"
                " && cmake -E tar cf large.zip --format=zip ?.bin lanes_at_work.txt")
              .exit_code == 0);
  const Finished graded =
      shell("cd " + folder.path().string() +
            " && $AGPUSIM exercise grade ann.zip bad.zip tom.zip large.zip --csv");
  CAPTURE(graded.out, graded.err);
  CHECK(graded.exit_code == 0);
  CHECK_THAT(graded.out, says("lanes_at_work,true,true,true,3",
                              "bad,none,false,false,false,0,,bad.zip is no zip",
                              "tom.zip holds no answer", "large.zip holds more than 64 MiB"));
  CHECK_THAT(graded.err, says("eve/lanes_at_work.txt: left out, a link"));
  const Finished alone = run_cli("exercise grade " + folder.file("tom.zip"));
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.err, says("tom.zip holds no answer"));
}

TEST_CASE("archives in the folder of a class, and in its archive, are unpacked",
          "[cli][exercise]") {
  const TempFolder folder;
  const std::string in_moodle = "_7_assignsubmission_file_";
  REQUIRE(shell("cd " + folder.path().string() + " && mkdir -p class/Ann" + in_moodle +
                " class/Tom" + in_moodle +
                " src && printf 'barriers = 3\nalone = 5\n' > src/lanes_at_work.txt" +
                " && cmake -E tar cf class/Ann" + in_moodle + "/mine.zip --format=zip src" +
                " && cp src/* 'class/Bo Li" + in_moodle + "lanes_at_work.txt'" +
                " && touch class/Di_9_assignsubmission_file_readme.txt" +
                " && cmake -E tar cf class/eve.zip --format=zip src/lanes_at_work.txt" +
                " && printf 'PK\003\004 none' > class/Tom" + in_moodle + "/mine.zip" +
                " && for i in 1 2 3; do truncate -s 30M $i.bin; done" +
                " && cmake -E tar cf inner.zip --format=zip ?.bin" +
                " && cmake -E tar cf class/max.zip --format=zip inner.zip src" +
                " && cmake -E tar cf class.zip --format=zip class")
              .exit_code == 0);
  for (const char* const path : {"class", "class.zip"}) {
    const Finished graded =
        shell("cd " + folder.path().string() + " && $AGPUSIM exercise grade --csv " + path);
    CAPTURE(path, graded.out, graded.err);
    CHECK(graded.exit_code == 0);
    CHECK_THAT(graded.out, !says("agpusim-grade"));
    CHECK_THAT(graded.out, says("\nBo Li,lanes_at_work,true", "\nDi,none,false"));
    CHECK_THAT(graded.out, says("\nAnn,lanes_at_work,true,true,true,3", "\nTom,none,false",
                                "mine.zip is no zip archive", "lanes_at_work,true,true,true,3",
                                "inner,none,false", "inner.zip holds more than 64 MiB"));
  }
}

TEST_CASE("students are named by file or folder, also in an archive, and Ctrl-C keeps what is done",
          "[cli][exercise]") {
  const TempFolder folder;
  const std::string right = AGPUSIM_TEST_DIR "/answers/right_pram_histogram.hpp";
  const std::string place = folder.path().string();
  REQUIRE(
      shell("cd " + place + " && mkdir 'Ann Lee_123_assignsubmission_file_' bob && cp " + right +
            " 'Ann Lee_123_assignsubmission_file_/pram_histogram.hpp' && cp " + right +
            " bob/pram_histogram.hpp && cp " + right + " cy-pram_histogram.hpp && " +
            "cp -r Ann* 'Ann Lee_124_assignsubmission_file_' && cp cy* bob-pram_histogram.hpp && "
            "cmake -E tar cf class.zip --format=zip Ann* bob* cy* && mkdir all && mv class.zip all")
          .exit_code == 0);
  const std::string graded =
      output_of_cli("exercise grade " + folder.file("all/class.zip") + " --csv --html " +
                    folder.file("page.html") + " --pages " + folder.file("pages") + " --moodle " +
                    folder.file("grades.csv") + " --gradescope " + folder.file("results.json"));
  for (const char* const student : {"Ann Lee", "bob", "cy"}) {
    CHECK_THAT(graded, says(std::string("\n") + student + ",pram_histogram,true,true,true,3,"));
  }
  for (const char* const page : {"Ann Lee.123", "Ann Lee.124", "bob", "cy"}) {
    CHECK(std::filesystem::exists(
        folder.file(std::string("pages/") + page + ".pram_histogram.html")));
  }
  CHECK(std::filesystem::exists(folder.file("pages/bob.pram_histogram.2.html")));
  CHECK_THAT(agpusim::read_file(folder.file("page.html")), says("3 of 3"));
  CHECK_THAT(agpusim::read_file(folder.file("grades.csv")),
             says("Identifier,Full name,Grade,Maximum Grade,Feedback comments\n",
                  "\nParticipant 123,Ann Lee,3,3,pram_histogram: 3 of 3\n", "\n,bob,3,3,"));
  const auto results = nlohmann::json::parse(agpusim::read_file(folder.file("results.json")));
  REQUIRE(results["tests"].size() == 3);
  CHECK(results["tests"][0]["name"] == "pram_histogram: result");
  CHECK(results["tests"][0]["score"] == 1);
  const std::string sleeper = AGPUSIM_TEST_DIR "/answers/sleeps_reverse.hpp";
  const std::string temporary = "export TMPDIR=" + place + "/tmp; ";
  // The first answer is marked once the second is written for the compiler.
  const Finished stopped =
      shell(temporary + "mkdir $TMPDIR; $AGPUSIM exercise grade --csv --threads 1 " + right + " " +
            sleeper +
            " & while kill -0 $! && ! ls $TMPDIR/*/answer1.cpp; do sleep 0.1; done > $TMPDIR.log; "
            "kill -INT $!; wait $!");
  CAPTURE(stopped.out, stopped.err);
  CHECK_THAT(stopped.out, says("right,pram_histogram,true,true,true,3,"));
  CHECK(std::filesystem::is_empty(folder.file("tmp")));
  // Nothing is left of a command that is killed.
  const Finished killed =
      shell(temporary + "$AGPUSIM exercise grade " + sleeper +
            " & while kill -0 $! && ! ls $TMPDIR/*/answer0.cpp; do sleep 0.1; done > $TMPDIR.log; "
            "ls $TMPDIR | wc -l; kill -KILL $!; for i in $(seq 100); do ls -A $TMPDIR | grep -q . "
            "|| break; sleep 0.1; done; ls $TMPDIR | wc -l");
  CHECK(killed.out == "1\n0\n");
}
