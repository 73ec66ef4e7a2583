#!/usr/bin/env node
// Nothing is imported above this check: an older Node crashes on the native module of the store.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  const { main } = await import("../src/cli/main.ts");
  await main(process.argv.slice(2));
} else {
  process.stderr.write(`error: svc needs Node.js 22.18 or newer; this is ${process.version}\n`);
  process.exitCode = 1;
}
