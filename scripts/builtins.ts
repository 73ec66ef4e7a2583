import { builtinModules } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Loads Node's modules with `process.getBuiltinModule`. An `import` reads all exports of a module
 * and so runs lazy getters (streams of `process`, promises of `fs`), which takes 10 of the 30 ms that
 * `svc --help` adds to Node's own start.
 */
export const builtins: Plugin = {
  name: "builtins",
  setup({ onResolve, onLoad }) {
    const names = builtinModules.filter((name) => !name.startsWith("node:"));
    const filter = new RegExp(`^(?:node:.+|${names.join("|")})$`);
    onResolve({ filter }, ({ path, kind }) => ({
      path: path.replace(/^(?:node:)?/, "node:"),
      namespace: kind === "require-call" ? "required-builtin" : "builtin",
    }));
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({ contents: moduleOf(path) }));
    onLoad({ filter: /.*/, namespace: "required-builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}");`,
    }));
  },
};

function moduleOf(name: string): string {
  const get = `process.getBuiltinModule("${name}")`;
  // commander imports it at every start, for executable subcommands, which svc does not have. Loading
  // it only when it is called saves 3 ms.
  if (name === "node:child_process") {
    return [
      `export default { get spawn() { return ${get}.spawn } };`,
      ...["spawn", "spawnSync"].map(
        (member) => `export const ${member} = (...args) => ${get}.${member}(...args);`,
      ),
    ].join("\n");
  }
  const members = Object.keys(process.getBuiltinModule(name) ?? {})
    .filter((member) => /^[A-Za-z_]\w*$/.test(member) && member !== "default")
    // Pure calls are dropped if the export is unused.
    .map((member) => `export const ${member} = /* @__PURE__ */ $read("${member}");`);
  return [
    `const $module = ${get};`,
    "const $read = (member) => $module[member];",
    "export default $module;",
    ...members,
  ].join("\n");
}
