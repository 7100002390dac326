// libsystemc names it, and a program that runs whole has a main function of its own.

extern "C" int sc_main(int, char**) { return 1; }
