// libsystemc refers to sc_main, but a whole program has its own main function.

extern "C" int sc_main(int, char**) { return 1; }
