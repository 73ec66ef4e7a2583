import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { findPlaces } from "../../folder/find-places.ts";
import type { DraftFiles } from "../../page/problem-list.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { FilePlace, PlacedProblem, PlaceOf } from "../../workspace/problem.ts";
import { pathFrom } from "../output/findings.ts";
import { editorLink } from "./editor-link.ts";

/** P13a, H40: where values are in the files of a folder, as `svc check` names them, each with its link. */
export function draftFiles(folder: string, template: string): DraftFiles {
  return {
    placesOf(wanted) {
      const find = placesIn(folder, wanted);
      return (problem) => {
        const place = find(problem);
        return place && linked(folder, template, place);
      };
    },
  };
}

/** None while the folder cannot be read, which its faults say. */
function placesIn(folder: string, wanted: readonly PlacedProblem[]): PlaceOf {
  try {
    return findPlaces(folder, wanted);
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    if (error instanceof SvcError || syscall !== undefined) return () => undefined;
    throw error;
  }
}

/** A place in a folder as it is printed, with its link. */
export function linked<P extends FilePlace>(
  folder: string,
  template: string,
  place: P,
): P & { readonly href?: string } {
  const shown = { ...place, file: place.file && pathFrom(folder, place.file) };
  if (template === "" || place.file === "") return shown;
  const path = resolve(existsSync(folder) ? realpathSync(folder) : folder, place.file);
  return { ...shown, href: editorLink(template, path, place) };
}
