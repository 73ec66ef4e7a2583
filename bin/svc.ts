#!/usr/bin/env node
// Nothing is imported above this check: an older Node crashes on the native module of the store.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  // Young objects get no more room than at the start, old ones twice what they need at most: a third
  // less memory at 10,000 experiences, in nearly the same time.
  for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=100"]) {
    process.getBuiltinModule("node:v8").setFlagsFromString(flag);
  }
  // What V8 has compiled is kept for the next start. It stands in the package, so that whoever could
  // change it could change the program itself; where that cannot be written, each start compiles.
  process
    .getBuiltinModule("node:module")
    .enableCompileCache(`${import.meta.dirname}/../.compile-cache`);
  const { main } = await import("../src/cli/main.ts");
  await main(process.argv.slice(2));
} else {
  process.stderr.write(`error: svc needs Node.js 22.18 or newer; this is ${process.version}\n`);
  process.exitCode = 1;
}
