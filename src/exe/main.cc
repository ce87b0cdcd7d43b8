#include "cli/main.h"

int main(int argc, char** argv) { return portcullis::cli::Main(argc, argv); }
