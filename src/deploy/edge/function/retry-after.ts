/** After how many seconds a client may ask again when what stands behind the edge failed. */
export const RETRY_AFTER = 5;
