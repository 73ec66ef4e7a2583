/**
 * Options of Node for a process that runs many tests: fewer collections of young objects, none on
 * threads that other tests need, and no function that is compiled again since it was unused.
 */
export const LONG_LIVED = [
  "--max-semi-space-size=64",
  "--min-semi-space-size=16",
  "--single-threaded-gc",
  "--no-flush-bytecode",
];
