/** A document of a version: its bytes were frozen with version id null. */
export interface FrozenDocument {
  /** Below `out/`. */
  readonly path: string;
  readonly number: number;
  /** SHA-256 of the frozen bytes. */
  readonly frozen: string;
  /** Of the frozen bytes, in bytes. */
  readonly size: number;
  /** JSON: the texts that it is assembled from. Read from the store at each access. */
  readonly recipe: string;
}

/** A file's entry in the manifest of `out/`. */
export interface FileFact {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** By path below `out/`. */
export type FileFacts = Readonly<Record<string, FileFact>>;

/** An asset file of a version, without its bytes. */
export interface VersionFile extends FileFact {
  /** Below `out/`. */
  readonly path: string;
}

/** Why a version became current (R7). */
export type JournalAction = "publish" | "republish" | "rollback";
