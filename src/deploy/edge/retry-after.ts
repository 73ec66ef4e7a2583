/** Seconds until a client may retry after the bucket or the preview server failed. */
export const RETRY_AFTER = 5;
