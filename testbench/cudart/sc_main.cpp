// libsystemc needs a function sc_main, which a program with its own main function does not have.

extern "C" int sc_main(int, char**) { return 1; }
