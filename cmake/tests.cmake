# One program per folder of tests. Natively with the system's GoogleTest; as WebAssembly, built from its sources and run in
# Node, the same tests of engine, formats and session.
find_package(Threads REQUIRED)
