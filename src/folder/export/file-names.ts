import { sha256 } from "../../documents/version-id.ts";

/** Names that Windows keeps for devices, whatever follows their first dot. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * G1: the file names of records by id, without extension: the id; with `~` and 8 hex digits of its
 * SHA-256 behind it when another id differs in letter case only; with `~` before it when Windows
 * reserves the name. No id contains `~`.
 */
export function fileNames(ids: readonly string[]): Map<string, string> {
  const count = new Map<string, number>();
  for (const id of ids) count.set(id.toLowerCase(), (count.get(id.toLowerCase()) ?? 0) + 1);
  return new Map(
    ids.map((id) => {
      const isAlone = count.get(id.toLowerCase()) === 1;
      return [id, unreserved(isAlone ? id : `${id}~${sha256(id).slice(0, 8)}`)];
    }),
  );
}

/** G1: a name for an asset's file that every file system takes. */
export function assetFileName(fileName: string): string {
  return unreserved(fileName.replace(/[<>:"|?*]|[. ]$/g, "~"));
}

function unreserved(name: string): string {
  return RESERVED.test(name) ? `~${name}` : name;
}
