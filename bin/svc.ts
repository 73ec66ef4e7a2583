#!/usr/bin/env node
// No static imports: an older Node would crash on the store's native module before this check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  // A young generation of 2 x 4 MB from the start on, which stays so (main.ts): with 1 MB a publish of 10,000
  // experiences has 2,300 collections, and keeps more that is garbage.
  process.getBuiltinModule("node:v8").setFlagsFromString("--semi-space-growth-factor=4");
  // V8's compile cache is inside the package, where only those who can change the program can write.
  // If the package is read-only, each start compiles.
  process
    .getBuiltinModule("node:module")
    .enableCompileCache(`${import.meta.dirname}/../.compile-cache`);
  const { main } = await import("../src/cli/main.ts");
  await main(process.argv.slice(2));
} else {
  process.stderr.write(
    `error: svc needs Node.js 22.18 or newer; this is ${process.version}\n` +
      "hint: install Node.js 24, from https://nodejs.org/en/download or with nvm install 24; in one project only, npm install --save-dev node@24, then npx --no-install svc\n",
  );
  process.exitCode = 4;
}
