/** H11: what the clients of a server may use of it. Times are in milliseconds. */
export interface Limits {
  /** Open connections; further ones are closed at once. */
  readonly connections: number;
  /** Of the request line and all headers of a request. */
  readonly headerBytes: number;
  /** From the first byte of a request until its headers are complete. */
  readonly headersTimeout: number;
  /** From the first byte of a request until its body is complete. */
  readonly requestTimeout: number;
  /** Between two requests on a connection. */
  readonly keepAliveTimeout: number;
  /** Without a byte in either direction, before a request or during a response. */
  readonly idleTimeout: number;
}

export const LIMITS: Limits = {
  connections: 1000,
  headerBytes: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  idleTimeout: 60_000,
};

/** Open event streams of a preview. */
export const MAX_EVENT_STREAMS = 200;

/** Published files whose hashes are remembered. */
export const MAX_ETAGS = 100_000;
