/** What an in-place deploy needs of a CDN. */
export interface Cdn {
  /**
   * Asks that paths be fetched anew. Asking again with the same reference and paths makes no second
   * invalidation.
   *
   * @param paths URL paths as CloudFront wants them: percent-encoded, `*` at the end of one.
   * @returns the invalidation's id.
   */
  invalidate(distribution: string, reference: string, paths: readonly string[]): Promise<string>;
}
