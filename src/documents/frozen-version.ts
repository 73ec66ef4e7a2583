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

/** An asset file of a version, without its bytes. */
export interface VersionFile {
  /** Below `out/`. */
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly size: number;
}
