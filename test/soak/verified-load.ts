// node verified-load.ts <address> <connections> <seconds>: requests one experience over keep-alive
// connections, verifies every response, and prints the result as JSON.
import { createHash } from "node:crypto";
import { Agent, get } from "node:http";

/** The result of a load. */
export interface VerifiedLoad {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Milliseconds from the request to the last byte. */
  readonly p50: number;
  readonly p99: number;
  /** The titles that were served, one per state of the draft. */
  readonly titles: readonly string[];
  /** The first few faults. */
  readonly faults: readonly string[];
}

interface Served {
  readonly versionId: string | null;
  readonly content: readonly { readonly data: { readonly title: string } }[];
  readonly references: readonly { readonly data: { readonly title: string } }[];
}

const FAULTS_TOLD = 5;

async function load(address: string, connections: number, seconds: number): Promise<VerifiedLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  const faults: string[] = [];
  /** The titles of verified bodies, by the hash of their bytes. */
  const known = new Map<string, string>();
  /** Of published documents: the state of each version. */
  const versions = new Map<string, string>();
  const connection = async () => {
    let latest = 0;
    while (performance.now() < end && faults.length < FAULTS_TOLD) {
      const start = performance.now();
      try {
        const body = await bodyOf(address, agent);
        times.push(performance.now() - start);
        const hash = createHash("sha1").update(body).digest("base64");
        const title = known.get(hash) ?? titleOf(body, versions);
        known.set(hash, title);
        // The draft only moves forward.
        const number = Number(title);
        if (address.includes("preview_token") && number < latest) {
          throw new Error(`state ${number} after ${latest}`);
        }
        latest = number;
      } catch (error) {
        faults.push(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  const sorted = Float64Array.from(times).sort();
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return {
    ...{ requests: times.length, requestsPerSecond: times.length / seconds },
    ...{ p50: at(0.5), p99: at(0.99), titles: [...new Set(known.values())], faults },
  };
}

function bodyOf(address: string, agent: Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = get(address, { agent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece) => pieces.push(piece));
      answer.on("error", reject);
      answer.on("end", () => {
        const body = Buffer.concat(pieces);
        if (answer.statusCode === 200) resolve(body);
        else reject(new Error(`status ${answer.statusCode}: ${body}`));
      });
    });
    request.on("error", reject);
  });
}

/** The title that all entries of the document must share, or else it mixes states. */
function titleOf(body: Buffer, versions: Map<string, string>): string {
  const { versionId, content, references }: Served = JSON.parse(body.toString());
  const titles = new Set([...content, ...references].map(({ data }) => data.title));
  const [title, ...others] = titles;
  if (title === undefined || others.length > 0) {
    throw new Error(`torn: ${[...titles].slice(0, 5).join(", ")}`);
  }
  if (versionId !== null && (versions.get(versionId) ?? title) !== title) {
    throw new Error(`version ${versionId} is of ${versions.get(versionId)} and of ${title}`);
  }
  if (versionId !== null) versions.set(versionId, title);
  return title;
}

const [address = "", connections, seconds] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await load(address, Number(connections), Number(seconds))));
