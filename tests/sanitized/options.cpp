// Sets the sanitizer options for this folder's programs: a fault ends the program; memory that is never freed
// is no fault.

extern "C" {

const char* __asan_default_options() { return "detect_leaks=0"; }
const char* __ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }
}
