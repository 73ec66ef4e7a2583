import dns, { type LookupAddress } from "node:dns";

type LookupCallback = (
  error: Error | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

const LOOPBACK = { address: "127.0.0.1", family: 4 };

/**
 * Resolves names below localhost to the loopback (RFC 6761), as some system resolvers do not. Must
 * be imported before the first connection: by a test, or with `--import` in NODE_OPTIONS.
 */
const { lookup } = dns;
dns.lookup = Object.assign(
  (name: string, options: { all?: boolean } | LookupCallback, callback?: LookupCallback) => {
    const respond = (typeof options === "function" ? options : callback) as LookupCallback;
    if (!name.endsWith(".localhost")) {
      return (lookup as (...args: unknown[]) => void)(name, options, callback);
    }
    const all = typeof options === "object" && options.all === true;
    process.nextTick(() =>
      all ? respond(null, [LOOPBACK]) : respond(null, LOOPBACK.address, LOOPBACK.family),
    );
  },
  { __promisify__: lookup.__promisify__ },
) as typeof lookup;
