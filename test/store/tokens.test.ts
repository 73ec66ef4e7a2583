import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bytesBelow } from "../support/file-tree.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const NOW = new Date("2026-01-31T12:00:00.000Z");
const LATER = new Date("2026-02-07T12:00:00.000Z");

function bedOf(...workspaces: readonly Parts[]) {
  const bed = new TestBed(...workspaces);
  const numberOf = (id: string) => bed.store.workspace(id).number;
  return { bed, tokens: bed.store.tokens, numberOf, w: numberOf("w") };
}

const isHeldIn = (bed: TestBed, text: string) =>
  Object.values(bytesBelow(bed.folder)).some((bytes) => bytes.includes(text));

const FOLDER = "folder-0123456789abcdef";

describe("H3: preview tokens", () => {
  it("H3: are stored only as SHA-256", () => {
    const { bed, tokens, w } = bedOf(smallWorkspace({ previewToken: "token-of-the-folder-0123" }));
    const { token, record } = tokens.create(w, { name: "alice", createdAt: NOW });
    for (const secret of [token, "token-of-the-folder-0123"]) {
      expect(isHeldIn(bed, secret)).toBe(false);
      expect(isHeldIn(bed, createHash("sha256").update(secret).digest("hex"))).toBe(true);
      expect(tokens.of(w).isValid(secret, NOW)).toBe(true);
    }
    expect(JSON.stringify([tokens.list(w), record])).not.toContain(token);
  });

  it("H3: are long and random", () => {
    const { tokens, w } = bedOf(smallWorkspace());
    const made = Array.from({ length: 50 }, () => tokens.create(w, { name: "t", createdAt: NOW }));
    for (const { token } of made) expect(token).toMatch(/^svc_[A-Za-z0-9_-]{43}$/);
    expect(new Set(made.map(({ token }) => token)).size).toBe(50);
    expect(new Set(made.map(({ record }) => record.id)).size).toBe(50);
  });

  it("H3: are valid only unchanged and for their workspace", () => {
    const { tokens, numberOf, w } = bedOf(smallWorkspace(), { id: "other" });
    const { token, record } = tokens.create(w, { name: "alice", createdAt: NOW });
    expect(tokens.of(numberOf("other")).isValid(token, NOW)).toBe(false);
    const hash = createHash("sha256").update(token).digest("hex");
    for (const wrong of ["", " ", `${token} `, token.slice(1), hash, record.id, "alice"]) {
      expect(tokens.of(w).isValid(wrong, NOW), wrong).toBe(false);
    }
  });

  it("H3: are valid until they expire, if they do", () => {
    const { tokens, w } = bedOf(smallWorkspace());
    const week = tokens.create(w, { name: "week", createdAt: NOW, expiresAt: LATER });
    const endless = tokens.create(w, { name: "endless", createdAt: NOW });
    const valid = (time: string) =>
      [week, endless].map(({ token }) => tokens.of(w).isValid(token, new Date(time)));
    expect(valid("2026-02-07T11:59:59.999Z")).toEqual([true, true]);
    expect(valid("2026-02-07T12:00:00.000Z")).toEqual([false, true]);
    expect(valid("9999-01-01T00:00:00.000Z")).toEqual([false, true]);
    expect(tokens.list(w)).toContainEqual({
      id: week.record.id,
      name: "week",
      createdAt: "2026-01-31T12:00:00.000Z",
      expiresAt: "2026-02-07T12:00:00.000Z",
    });
  });

  it("L8: of these the edge gets the hashes of those that have not expired, with their expiry", () => {
    const { tokens, numberOf, w } = bedOf(smallWorkspace({ previewToken: FOLDER }), {
      id: "other",
    });
    const make = (name: string, expiresAt?: Date) =>
      tokens.create(w, { name, createdAt: NOW, expiresAt }).token;
    const [week, endless] = [make("week", LATER), make("endless")];
    const hash = (token: string) => createHash("sha256").update(token).digest("hex");
    const forEver = [FOLDER, endless].map((token) => ({
      sha256: hash(token),
      expiresAt: undefined,
    }));
    const inOrder = (list: readonly { readonly sha256: string }[]) =>
      list.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
    const before = new Date(+LATER - 1);
    expect(tokens.valid(w, before)).toEqual(
      inOrder([...forEver, { sha256: hash(week), expiresAt: LATER } as never]),
    );
    expect(tokens.valid(w, LATER)).toEqual(inOrder(forEver));
    expect(tokens.valid(numberOf("other"), before)).toEqual([]);
  });

  it("H3: are invalid once they are revoked, by their own workspace only", () => {
    const { tokens, numberOf, w } = bedOf(smallWorkspace(), { id: "other" });
    const [one, two] = ["one", "two"].map((name) => tokens.create(w, { name, createdAt: NOW }));
    if (!one || !two) throw new Error("two tokens were made");
    expect(tokens.revoke(numberOf("other"), one.record.id)).toBe(false);
    expect(tokens.of(w).isValid(one.token, NOW)).toBe(true);
    expect(tokens.revoke(w, one.record.id)).toBe(true);
    expect(tokens.of(w).isValid(one.token, NOW)).toBe(false);
    expect(tokens.of(w).isValid(two.token, NOW)).toBe(true);
    expect(tokens.revoke(w, one.record.id)).toBe(false);
  });
});

describe("workspace-folder.md: the token of workspace.json", () => {
  it("is replaced or removed by the next import; created tokens are kept", () => {
    const { bed, tokens, w } = bedOf(
      smallWorkspace({ previewToken: "first-0123456789abcdef" }),
      smallWorkspace({ id: "other", projects: [], previewToken: "first-0123456789abcdef" }),
    );
    const { token } = tokens.create(w, { name: "alice", createdAt: NOW });
    const valid = () =>
      ["first-0123456789abcdef", "second-0123456789abcdef", token].map((one) =>
        tokens.of(w).isValid(one, NOW),
      );
    expect(valid()).toEqual([true, false, true]);
    bed.import(smallWorkspace({ previewToken: "second-0123456789abcdef" }));
    expect(valid()).toEqual([false, true, true]);
    bed.import(smallWorkspace());
    expect(valid()).toEqual([false, false, true]);
    expect(
      tokens.of(bed.store.workspace("other").number).isValid("first-0123456789abcdef", NOW),
    ).toBe(true);
  });
});
