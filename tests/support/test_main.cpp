// Main program of the tests. libsystemc.so defines main(), which calls sc_main(). If no test runs, the
// program reports a failure.

#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const bool listing = testing::GTEST_FLAG(list_tests);
  return !listing && testing::UnitTest::GetInstance()->test_to_run_count() == 0 ? 2 : status;
}
