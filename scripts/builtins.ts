import { builtinModules } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Node's own modules, without the `import` of them: that reads each of their exports to copy it,
 * and so starts what stands behind a getter (streams behind `process`, promises behind `fs`). It
 * takes 10 of the 30 ms that `svc --help` needs beside Node itself.
 */
export const builtins: Plugin = {
  name: "builtins",
  setup({ onResolve, onLoad }) {
    const names = builtinModules.filter((name) => !name.startsWith("node:"));
    const filter = new RegExp(`^(?:node:.+|${names.join("|")})$`);
    onResolve({ filter }, ({ path }) => ({
      path: path.replace(/^(?:node:)?/, "node:"),
      namespace: "builtin",
    }));
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({ contents: moduleOf(path) }));
  },
};

function moduleOf(name: string): string {
  const get = `process.getBuiltinModule("${name}")`;
  // Only commander asks for it, to start programs, of which svc has none: 3 ms.
  if (name === "node:child_process")
    return `export default { get spawn() { return ${get}.spawn } };`;
  const members = Object.keys(process.getBuiltinModule(name) ?? {})
    .filter((member) => /^[A-Za-z_]\w*$/.test(member) && member !== "default")
    // What is marked as pure is left out where nobody uses it.
    .map((member) => `export const ${member} = /* @__PURE__ */ $read("${member}");`);
  return [
    `const $module = ${get};`,
    "const $read = (member) => $module[member];",
    "export default $module;",
    ...members,
  ].join("\n");
}
