import dns, { type LookupAddress } from "node:dns";

type Answered = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

const LOOPBACK = { address: "127.0.0.1", family: 4 };

/**
 * Names below localhost mean this machine (RFC 6761), which not every system's resolver knows. To
 * be imported before a process makes connections: by a test, or with `--import` in NODE_OPTIONS.
 */
const { lookup } = dns;
dns.lookup = Object.assign(
  (name: string, options: { all?: boolean } | Answered, callback?: Answered) => {
    const answered = (typeof options === "function" ? options : callback) as Answered;
    if (!name.endsWith(".localhost")) {
      return (lookup as (...args: unknown[]) => void)(name, options, callback);
    }
    const all = typeof options === "object" && options.all === true;
    process.nextTick(() =>
      all ? answered(null, [LOOPBACK]) : answered(null, LOOPBACK.address, LOOPBACK.family),
    );
  },
  { __promisify__: lookup.__promisify__ },
) as typeof lookup;
