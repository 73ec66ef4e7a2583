import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database, Statement } from "better-sqlite3";
import { rowsIn } from "./query.ts";

/** A preview token without the token itself (H3). */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** RFC 3339, UTC; null: never. */
  readonly expiresAt: string | null;
}

interface NewToken {
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date | undefined;
}

/** The preview tokens of all workspaces. */
export class Tokens {
  readonly #database: Database;
  readonly #hashes: Statement<unknown[], [string, string | null]>;

  constructor(database: Database) {
    this.#database = database;
    this.#hashes = database
      .prepare<unknown[], [string, string | null]>(
        "SELECT sha256, expires_at FROM tokens WHERE workspace = ? ORDER BY sha256",
      )
      .raw();
  }

  /** Makes a token. Only its hash is stored. */
  create(workspace: number, options: NewToken): { token: string; record: Token } {
    const token = newToken();
    return { token, record: this.#insert(workspace, options, token, "created") };
  }

  /** Replaces the token of `workspace.json`; undefined: there is none. */
  setFolderToken(workspace: number, token: string | undefined, createdAt: Date): void {
    this.#database
      .prepare("DELETE FROM tokens WHERE workspace = ? AND origin = 'folder'")
      .run(workspace);
    if (token === undefined) return;
    this.#insert(workspace, { name: "workspace.json", createdAt }, token, "folder");
  }

  list(workspace: number): Token[] {
    const sql = `SELECT id, name, created_at AS createdAt, expires_at AS expiresAt FROM tokens
      WHERE workspace = ? ORDER BY created_at, id`;
    return rowsIn(this.#database, sql, workspace);
  }

  /** The hashes for a CDN of the tokens that are valid at `now`. */
  valid(workspace: number, now: Date): { sha256: string; expiresAt: Date | undefined }[] {
    return this.#hashes
      .all(workspace)
      .map(([sha256, until]) => ({
        sha256,
        expiresAt: until === null ? undefined : new Date(until),
      }))
      .filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  }

  /** Deletes a token; false when the workspace has no such token. */
  revoke(workspace: number, id: string): boolean {
    return (
      this.#database.prepare("DELETE FROM tokens WHERE workspace = ? AND id = ?").run(workspace, id)
        .changes > 0
    );
  }

  /** The workspace's tokens, read once. */
  of(workspace: number): TokenHashes {
    return new TokenHashes(this.#hashes.all(workspace));
  }

  #insert(workspace: number, given: NewToken, token: string, origin: "created" | "folder"): Token {
    const record: Token = {
      id: `tok_${randomBytes(6).toString("hex")}`,
      name: given.name,
      createdAt: given.createdAt.toISOString(),
      expiresAt: given.expiresAt?.toISOString() ?? null,
    };
    this.#database
      .prepare(
        `INSERT INTO tokens (id, workspace, name, sha256, origin, created_at, expires_at)
         VALUES (:id, :workspace, :name, :sha256, :origin, :createdAt, :expiresAt)`,
      )
      .run({ ...record, workspace, sha256: tokenHash(token), origin });
    return record;
  }
}

/** The hashes of a workspace's tokens at one moment. */
export class TokenHashes {
  readonly #tokens: readonly { readonly stored: Buffer; readonly until: number }[];

  constructor(rows: readonly (readonly [sha256: string, expiresAt: string | null])[]) {
    this.#tokens = rows.map(([sha256, expiresAt]) => ({
      stored: Buffer.from(sha256, "hex"),
      until: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
    }));
  }

  /** H3: in constant time for any token. */
  isValid(token: string, now: Date): boolean {
    const given = digest(token);
    let valid = false;
    for (const { stored, until } of this.#tokens) {
      const isActive = until > now.getTime();
      valid =
        (stored.length === given.length && timingSafeEqual(stored, given) && isActive) || valid;
    }
    return valid;
  }
}

export function newToken(): string {
  return `svc_${randomBytes(32).toString("base64url")}`;
}

/** H3: all that is stored of a token. */
export function tokenHash(token: string): string {
  return digest(token).toString("hex");
}

function digest(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
