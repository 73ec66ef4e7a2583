/** The stat data of a workspace's files in an `out/`. */
export interface OutState {
  /** SHA-256 of the manifest. */
  readonly manifest: string;
  /** When the data was read, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Four numbers for each file of the workspace, in the manifest's order: inode, size, mtime, ctime. */
  readonly files: Float64Array;
}
