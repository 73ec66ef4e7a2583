/** What an in-place deploy needs of a CDN. */
export interface Cdn {
  /**
   * Invalidates cached paths. Idempotent for the same reference and paths.
   *
   * @param paths URL paths, percent-encoded; a final `*` matches every path that starts so.
   * @returns the invalidation's id.
   */
  invalidate(distribution: string, reference: string, paths: readonly string[]): Promise<string>;
}
