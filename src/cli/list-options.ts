import { posix } from "node:path";
import { findPlaces } from "../folder/find-places.ts";
import type { ProblemPlace } from "../workspace/problem.ts";
import type { WorkspaceOptions } from "./command.ts";
import { checkCommandLine } from "./output/check-command-line.ts";
import type { FilePlace, ListOptions } from "./output/problem-groups.ts";

/** How problems of a command's draft are listed: those of a folder with their places in its files. */
export function listOptions(options: WorkspaceOptions, folder: string | undefined): ListOptions {
  const checkCommand = checkCommandLine(options, folder);
  if (folder === undefined) return { checkCommand };
  const fileOf = (file: string) => posix.join(folder.replaceAll("\\", "/"), file);
  const inFolder = (place: FilePlace | undefined) =>
    place && { ...place, file: fileOf(place.file) };
  const find = (places: readonly ProblemPlace[]) => {
    const placeOf = findPlaces(folder, places);
    return (at: ProblemPlace) => inFolder(placeOf(at));
  };
  return { checkCommand, fileOf, findPlaces: find };
}
