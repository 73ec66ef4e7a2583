import { relative, resolve } from "node:path";
import { findPlaces } from "../folder/find-places.ts";
import type { WorkspaceOptions } from "./command.ts";
import type { ListOptions } from "./output/problem-groups.ts";
import { shellWord } from "./output/shell-word.ts";

/** How a command with these options lists problems: of a folder with their places in its files. */
export function listOptions(
  { store, workspace, format }: WorkspaceOptions & { readonly format?: string },
  folder: string | undefined,
): ListOptions {
  const words = [
    "svc check",
    ...(folder === undefined ? [] : [shellWord(folder)]),
    ...(store === "workspace.db" ? [] : ["--store", shellWord(store)]),
    ...(workspace === undefined ? [] : ["--workspace", shellWord(workspace)]),
  ];
  const checkCommand = words.join(" ");
  if (folder === undefined) return { checkCommand };
  // GitHub finds the files of annotations from the root of the repository.
  const root = (format === "github" && process.env.GITHUB_WORKSPACE) || process.cwd();
  const fileOf = (file: string) => {
    const path = resolve(folder, file);
    const below = relative(root, path);
    return (below.startsWith("..") ? path : below).replaceAll("\\", "/");
  };
  return {
    checkCommand,
    fileOf,
    findPlaces(wanted) {
      const find = findPlaces(folder, wanted);
      return (at) => {
        const place = find(at);
        return place && { ...place, file: fileOf(place.file) };
      };
    },
  };
}
