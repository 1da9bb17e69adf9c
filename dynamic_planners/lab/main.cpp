#include "dynamic_planners/lab/program.hpp"

int main(int argc, char** argv) {
  return dynamic_planners::run_program(argc, argv);
}
