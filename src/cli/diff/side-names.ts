import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST, WRITE_JOURNAL } from "../../publish/manifest.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";

/** What a side of a diff is. */
export type SideName =
  /** `published`, `draft`, or a version id or its beginning. */
  | { readonly kind: "store"; readonly name: string }
  | { readonly kind: "folder" | "out" | "url" | "target"; readonly name: string };

/**
 * The sides that the arguments name.
 *
 * @param against the option, which names the first side.
 * @param namesStore whether --store names a store to compare a folder with.
 * @param out the published files that a folder alone is compared with.
 * @throws UsageError for an argument too many; SvcError `side-not-found`.
 */
export function sideNames(
  args: readonly (string | undefined)[],
  against: string | undefined,
  namesStore: boolean,
  out: string,
): [from: SideName, to: SideName] {
  const given = args.filter((text) => text !== undefined).map(sideNamed);
  if (against !== undefined) {
    if (given.length > 1) {
      throw new UsageError(
        "with --against, only one side is expected",
        "svc diff --against <from> [to]",
      );
    }
    return [sideNamed(against), given[0] ?? DRAFT];
  }
  const [first = PUBLISHED, second] = given;
  if (second !== undefined) return [first, second];
  if (first.kind !== "folder") return [first, DRAFT];
  return [namesStore ? PUBLISHED : { kind: "out", name: out }, first];
}

const PUBLISHED: SideName = { kind: "store", name: "published" };
const DRAFT: SideName = { kind: "store", name: "draft" };

/** A name of hex digits is a version id: a folder of such a name is `./<name>`. */
const OF_STORE = /^(?:published|draft|[0-9a-f]{1,32})$/i;

/** @throws SvcError `side-not-found`. */
export function sideNamed(name: string): SideName {
  if (OF_STORE.test(name)) return { kind: "store", name };
  if (/^https?:/i.test(name)) return { kind: "url", name };
  if (name.startsWith("s3:")) return { kind: "target", name };
  // With a journal only, the first write of published files was interrupted: nothing is published.
  if ([MANIFEST, WRITE_JOURNAL].some((file) => existsSync(join(name, file)))) {
    return { kind: "out", name };
  }
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory()) return { kind: "folder", name };
  throw new SvcError("side-not-found", `"${name}" is neither a version nor a folder`, {
    hint: "give a version (svc versions lists them), a workspace folder, published files, an address of an API, or a deploy target",
  });
}
