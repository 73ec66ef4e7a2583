// node load.ts <url> <connections> <seconds>: requests one URL over keep-alive connections, one
// request after another on each, and prints the result as JSON. It parses only status and length of
// responses, so that the server is measured, not the client.
import { connect } from "node:net";

/** The result of a load. */
export interface Load {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 200, and broken connections. */
  readonly errors: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");

function load(address: string, connections: number, seconds: number): Promise<Load> {
  const { hostname, port, pathname, search, host } = new URL(address);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const times: number[] = [];
  let errors = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  const one = () =>
    new Promise<void>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let asked = 0;
      let missing = 0;
      let head: Buffer = Buffer.alloc(0);
      const ask = () => {
        asked = performance.now();
        if (asked > end) socket.destroy();
        else socket.write(request);
      };
      socket.on("connect", ask).on("close", () => resolve());
      socket.on("error", () => {
        errors += 1;
      });
      socket.on("data", (piece) => {
        if (missing === 0) {
          head = head.length === 0 ? piece : Buffer.concat([head, piece]);
          const headEnd = head.indexOf(HEAD_END);
          if (headEnd < 0) return;
          const text = head.toString("latin1", 0, headEnd);
          if (!text.startsWith("HTTP/1.1 200")) errors += 1;
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
          missing = length - (head.length - headEnd - HEAD_END.length);
          head = Buffer.alloc(0);
        } else missing -= piece.length;
        if (missing > 0) return;
        times.push(performance.now() - asked);
        ask();
      });
    });
  return Promise.all(Array.from({ length: connections }, one)).then(() => {
    const took = (performance.now() - start) / 1000;
    const sorted = Float64Array.from(times).sort();
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
    return { requestsPerSecond: times.length / took, p50: at(0.5), p99: at(0.99), errors };
  });
}

if (import.meta.main) {
  const [url = "", connections, seconds] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await load(url, Number(connections), Number(seconds))));
}
