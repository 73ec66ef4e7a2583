import { createHash } from "node:crypto";
import type {
  ObjectBody,
  ObjectFacts,
  ObjectHead,
  ObjectStore,
  PutCondition,
} from "../../../src/deploy/object-store.ts";
import type { Headers } from "../../../src/http/published-headers.ts";
import { SvcError } from "../../../src/workspace/errors.ts";

/** An object as it is stored. */
interface Stored {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly lastModified: Date;
  readonly sha256?: string;
  readonly headers: Headers;
}

/** A request to a bucket. */
interface Operation {
  readonly name: "get" | "head" | "list" | "folders" | "put" | "delete";
  /** With the store's prefix; of a listing, its own prefix. */
  readonly keys: readonly string[];
}

/** Awaited by the operation; throws to make it fail. */
export type Hook = (operation: Operation) => unknown;

/** A bucket in memory. Each operation is atomic, but others may run between it and its hooks. */
export class MemoryBucket {
  readonly objects = new Map<string, Stored>();
  /** The writes and removals, in order: `put <key>`, `delete <key>`. */
  readonly changes: string[] = [];
  /** Keys whose removal is denied. */
  readonly undeletable = new Set<string>();
  /** Runs before an operation: if it throws, the operation is not carried out. */
  before: Hook = () => {};
  /** Runs after an operation was carried out: if it throws, the response is lost. */
  after: Hook = () => {};
  /** Whether ETags are compared before a removal, which many stores do not. */
  checksDeletes = true;
  now = () => new Date();
  tagOf = (bytes: Buffer) => createHash("md5").update(bytes).digest("hex");

  /** The bucket as a deploy sees it. */
  open(options: { prefix?: string; signal?: AbortSignal } = {}): ObjectStore {
    const { prefix = "", signal } = options;
    const carryOut = async <T>(
      name: Operation["name"],
      keys: readonly string[],
      act: () => T,
    ): Promise<T> => {
      const operation = { name, keys: keys.map((key) => prefix + key) };
      signal?.throwIfAborted();
      await this.before(operation);
      signal?.throwIfAborted();
      const result = act();
      await this.after(operation);
      return result;
    };
    return {
      name: `s3://memory/${prefix}`.replace(/\/$/, ""),
      get: (key) =>
        carryOut("get", [key], () => {
          const stored = this.objects.get(prefix + key);
          if (stored === undefined) return undefined;
          const age = +this.now() - +stored.lastModified;
          return { ...factsOf(key, stored), bytes: Buffer.from(stored.bytes), age };
        }),
      head: (key) =>
        carryOut("head", [key], () => {
          const stored = this.objects.get(prefix + key);
          return stored && headOf(key, stored);
        }),
      list: async function* (this: MemoryBucket, under: string) {
        yield* await carryOut("list", [under], () => this.#listed(prefix, under));
      }.bind(this),
      folders: async function* (this: MemoryBucket, under: string) {
        const listed = await carryOut("folders", [under], () => this.#listed(prefix, under));
        const rests = listed.map(({ key }) => key.slice(under.length));
        const folders = rests
          .filter((rest) => rest.includes("/"))
          .map((rest) => rest.split("/")[0]);
        for (const folder of new Set(folders)) yield `${under}${folder}/`;
      }.bind(this),
      put: async (key, body, headers, condition) => {
        const bytes = await bytesOf(key, body);
        await condition?.beforeAttempt?.();
        return carryOut("put", [key], () =>
          this.#isAllowed(prefix + key, condition)
            ? this.#store(prefix + key, bytes, headers, body.sha256)
            : undefined,
        );
      },
      delete: async (keys, etags, beforeSend) => {
        if (keys.length === 0) return [];
        return carryOut("delete", keys, () => {
          beforeSend?.();
          return keys.flatMap((key) => this.#remove(prefix, key, etags?.get(key)));
        });
      },
    };
  }

  /** A write by another program, which stores no SHA-256. */
  put(key: string, text: string): void {
    this.#store(key, Buffer.from(text), {});
  }

  text(key: string): string | undefined {
    return this.objects.get(key)?.bytes.toString();
  }

  keys(prefix = ""): string[] {
    return this.#listed("", prefix).map(({ key }) => key);
  }

  /** In the order of the keys' UTF-8 bytes. */
  #listed(prefix: string, under: string): ObjectFacts[] {
    return [...this.objects]
      .filter(([key]) => key.startsWith(prefix + under))
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([key, stored]) => factsOf(key.slice(prefix.length), stored));
  }

  #isAllowed(key: string, condition: PutCondition | undefined): boolean {
    if (condition === undefined) return true;
    const etag = this.objects.get(key)?.etag;
    return "ifMatch" in condition ? etag === condition.ifMatch : etag === undefined;
  }

  #store(key: string, bytes: Buffer, headers: Headers, sha256?: string): string {
    const etag = this.tagOf(bytes);
    const more = sha256 === undefined ? {} : { sha256 };
    this.objects.set(key, { bytes, etag, lastModified: this.now(), headers, ...more });
    this.changes.push(`put ${key}`);
    return etag;
  }

  #remove(prefix: string, key: string, ifMatch?: string): { key: string; reason: string }[] {
    const etag = this.objects.get(prefix + key)?.etag;
    if (this.checksDeletes && ifMatch !== undefined && etag !== undefined && etag !== ifMatch)
      return [{ key, reason: "PreconditionFailed" }];
    if (this.undeletable.has(prefix + key)) return [{ key, reason: "AccessDenied: undeletable" }];
    if (this.objects.delete(prefix + key)) this.changes.push(`delete ${prefix}${key}`);
    return [];
  }
}

function factsOf(key: string, { bytes, etag, lastModified }: Stored): ObjectFacts {
  return { key, size: bytes.length, etag, lastModified };
}

function headOf(key: string, stored: Stored): ObjectHead {
  return {
    ...factsOf(key, stored),
    sha256: stored.sha256,
    contentType: stored.headers["Content-Type"]?.toString(),
    cacheControl: stored.headers["Cache-Control"]?.toString(),
  };
}

/** @throws SvcError `upload-changed` when they cannot be read, or differ in size or SHA-256. */
async function bytesOf(key: string, { bytes, size, sha256 }: ObjectBody): Promise<Buffer> {
  const read = Buffer.isBuffer(bytes)
    ? Buffer.from(bytes)
    : Buffer.concat(
        await bytes()
          .toArray()
          .catch(() => []),
      );
  const hash = createHash("sha256").update(read).digest("hex");
  if (read.length === size && hash === sha256) return read;
  throw new SvcError("upload-changed", `"${key}" has other bytes than were to be uploaded`, {
    hint: "a file changed while it was uploaded: publish and deploy again",
  });
}
