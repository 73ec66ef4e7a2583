import {
  createECDH,
  createHash,
  createHmac,
  createPublicKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface SignedRequest {
  readonly method: string;
  /** As received, with its query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const ASYMMETRIC = "AWS4-ECDSA-P256-SHA256";
const SYMMETRIC = "AWS4-HMAC-SHA256";

/** What is wrong with the SigV4A signature of a request to a service; undefined when it is valid. */
export function wrongV4a(
  request: SignedRequest,
  service: string,
  credentials: Credentials,
): string | undefined {
  const { headers } = request;
  if (headers["x-amz-region-set"] !== "*") return "x-amz-region-set is not *";
  const stated = parseSignature(request, ASYMMETRIC);
  if (typeof stated === "string") return stated;
  const { date, scope, signature, accessKeyId } = stated;
  if (scope !== `${date.slice(0, 8)}/${service}/aws4_request`) return `scope ${scope}`;
  if (!stated.signed.includes("x-amz-region-set")) return "x-amz-region-set is not signed";
  if (accessKeyId !== credentials.accessKeyId) return "unknown access key";
  const text = Buffer.from(stringToSign(request, ASYMMETRIC, stated));
  const valid = verify("sha256", text, publicKey(credentials), Buffer.from(signature, "hex"));
  return valid ? undefined : "the signature does not match";
}

/** Like `wrongV4a`, for SigV4. */
export function wrongV4(
  request: SignedRequest,
  service: string,
  credentials: Credentials,
): string | undefined {
  const stated = parseSignature(request, SYMMETRIC);
  if (typeof stated === "string") return stated;
  const { date, scope, signature, accessKeyId } = stated;
  if (scope !== `${date.slice(0, 8)}/us-east-1/${service}/aws4_request`) return `scope ${scope}`;
  if (accessKeyId !== credentials.accessKeyId) return "unknown access key";
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const expected = hmac(key, stringToSign(request, SYMMETRIC, stated));
  const given = Buffer.from(signature, "hex");
  const valid = given.length === expected.length && timingSafeEqual(given, expected);
  return valid ? undefined : "the signature does not match";
}

interface Signature {
  readonly accessKeyId: string;
  readonly scope: string;
  /** In the format of x-amz-date. */
  readonly date: string;
  readonly signed: readonly string[];
  readonly signature: string;
}

const FIVE_MINUTES = 300_000;

/** The signature in the headers of a request, or what is wrong with them. */
function parseSignature({ headers, body }: SignedRequest, algorithm: string): Signature | string {
  const [, accessKeyId = "", scope = "", signed = "", signature = ""] =
    /^[\w-]+ Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (!headers.authorization?.startsWith(`${algorithm} `) || signature === "") {
    return `no ${algorithm} authorization`;
  }
  const date = String(headers["x-amz-date"]);
  const time = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!(Math.abs(time - Date.now()) < FIVE_MINUTES)) return `x-amz-date ${date}`;
  // The header is optional for some services, but must be right.
  const hash = headers["x-amz-content-sha256"];
  if (hash !== undefined && hash !== sha256(body)) return "x-amz-content-sha256 of other bytes";
  const names = signed.split(";");
  if (!names.includes("host") || !names.includes("x-amz-date")) return "too few headers are signed";
  return { accessKeyId, scope, date, signed: names, signature };
}

function stringToSign(
  request: SignedRequest,
  algorithm: string,
  { date, scope, signed }: Signature,
) {
  const url = new URL(request.target, "http://host");
  // These services sign the path with its percent-encoding encoded again.
  const path = url.pathname.split("/").map(encodeURIComponent).join("/");
  const query = request.target.split("?")[1]?.split("&").sort().join("&") ?? "";
  const headers = signed.map(
    (name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, " ")}\n`,
  );
  const canonical = [
    request.method,
    path,
    query,
    headers.join(""),
    signed.join(";"),
    sha256(request.body),
  ];
  return [algorithm, date, scope, sha256(canonical.join("\n"))].join("\n");
}

/** The order of the curve P-256, less two. */
const MOST = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254fn;

/** The public key that AWS derives from credentials. */
function publicKey({ accessKeyId, secretAccessKey }: Credentials): KeyObject {
  for (let counter = 1; counter < 255; counter++) {
    const input = Buffer.concat([
      Buffer.from([0, 0, 0, 1]),
      Buffer.from(`${ASYMMETRIC}\0${accessKeyId}`),
      Buffer.from([counter, 0, 0, 1, 0]),
    ]);
    const drawn = BigInt(`0x${hmac(`AWS4A${secretAccessKey}`, input).toString("hex")}`);
    if (drawn > MOST) continue;
    const pair = createECDH("prime256v1");
    pair.setPrivateKey((drawn + 1n).toString(16).padStart(64, "0"), "hex");
    const point = pair.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
      part.toString("base64url"),
    );
    return createPublicKey({
      key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" },
      format: "jwk",
    });
  }
  throw new Error("no key for these credentials");
}

function hmac(key: string | Buffer, text: string | Buffer): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
