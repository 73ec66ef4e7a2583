import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pointerKey, releaseFolder, tokenKey } from "../../../src/deploy/releases/keys.ts";
import {
  type Address,
  addressOfFilePath,
  filePath,
  urlPath,
} from "../../../src/documents/address.ts";
import type { Project } from "../../../src/workspace/records.ts";
import { pathsBelow } from "../file-tree.ts";
import { TestBed } from "../test-bed.ts";
import { heldAsset, page, projectOf, smallWorkspace } from "../workspaces/small-workspace.ts";

const PAGE = "<script>alert(1)</script>";
export const PICTURE = heldAsset("pic", "Blåbær & co+1.png", "not a real picture");
export const UPLOADED = heldAsset("page", "page.html", PAGE, "text/html");
export const NAMELESS = heldAsset("raw", "100%.bin2", "of no known type");
export const DRAWN = heldAsset("drawn", "draft only.svg", "<svg/>", "image/svg+xml");
const ASSETS = [PICTURE, UPLOADED, NAMELESS];

/** An id of 128 letters, the longest allowed. */
export const LONGEST = "L".repeat(128);

/** The live release. */
export const RELEASE = `w/${"0123456789abcdef".repeat(2)}-0123456789ab`;

/** L15: the release of a preview. */
export const PREVIEWED = `w/${"fedcba9876543210".repeat(2)}-ba9876543210`;

export const urlOf = (path: string) => `/${path.split("/").map(encodeURIComponent).join("/")}`;

const FOLDER_TOKEN = "folder token+ä 0123456789";

/** A published workspace with a changed draft, and tokens in every state. */
export class RequestedSite {
  readonly bed: TestBed;
  /** By their placeholder in targets. */
  readonly tokens: Readonly<Record<string, string>>;

  constructor() {
    const other = smallWorkspace({
      id: "other",
      previewToken: "token-of-another-workspace",
      projects: [projectOf("shop", "home")],
    });
    this.bed = new TestBed(
      { ...workspace("Published"), previewToken: "replaced-0123456789abc" },
      other,
    );
    this.bed.publish({ workspace: "w" });
    this.bed.import(workspace("Draft", DRAWN));
    const { tokens } = this.bed.store;
    const { number } = this.bed.store.workspace("w");
    const make = (expiresAt: Date | undefined) =>
      tokens.create(number, { name: "test", createdAt: new Date(0), expiresAt });
    const revoked = make(undefined);
    tokens.revoke(number, revoked.record.id);
    const forever = make(undefined);
    this.tokens = {
      $VALID: FOLDER_TOKEN,
      $FOREVER: forever.token,
      $ID: forever.record.id,
      $CREATED: make(new Date(Date.now() + 3_600_000)).token,
      $YEARS: make(new Date(Date.UTC(9999, 0))).token,
      $LATER: make(new Date(Date.UTC(12000, 0))).token,
      $EXPIRED: make(new Date(1000)).token,
      $OTHER: "token-of-another-workspace",
      $REVOKED: revoked.token,
      $REPLACED: "replaced-0123456789abc",
      $PULL: "svc_of-a-pull-request",
      $PULLED: "svc_of-one-that-was-closed",
      $HASH: createHash("sha256").update(FOLDER_TOKEN).digest("hex"),
    };
  }

  /** The target with tokens in place of their placeholders. */
  target(target: string): string {
    return target
      .replace("$DRAWN", urlOf(DRAWN.path))
      .replace(/\$[A-Z]+/g, (name) => encodeURIComponent(this.tokens[name] ?? name));
  }

  /** The file, one character per byte. */
  file(path: string): string {
    return readFileSync(join(this.bed.out, path), "latin1");
  }

  /** L15: the same file in the release of the preview. */
  previewed(path: string): string {
    return this.file(path).replaceAll("Published", "Pulled");
  }

  draft(address: Address): string {
    const document = this.bed.render("preview", address, "w");
    if (document === undefined) throw new Error(`no draft of ${filePath(address)}`);
    return document.bytes(null).toString("latin1");
  }

  /** The objects of a bucket after a deploy by key, one character per byte. */
  bucket(mode: "release" | "in-place"): Map<string, string> {
    const keyOf = (path: string) => {
      const address = addressOfFilePath(path);
      if (path.startsWith("assets/") || path === "404.json") return path;
      if (mode === "release") return releaseFolder(RELEASE) + path;
      return address === undefined ? path : urlPath(address).slice(1);
    };
    const paths = pathsBelow(this.bed.out);
    const previewed = mode === "release" ? paths : [];
    return new Map([
      ...paths.map((path) => [keyOf(path), this.file(path)] as const),
      ...previewed.map((path) => [releaseFolder(PREVIEWED) + path, this.previewed(path)] as const),
    ]);
  }

  /** The pointers and tokens that a deploy writes to the KeyValueStore. */
  keyValues(): Record<string, string> {
    const projects = ["site", "a.b-c_d", LONGEST];
    const expires = {
      $VALID: "never",
      $FOREVER: "never",
      $CREATED: String(Date.now() + 3_600_000),
      $YEARS: String(Date.UTC(9999, 0)),
      $LATER: String(Date.UTC(12000, 0)),
      $EXPIRED: "1000",
      $PULL: `${Date.now() + 3_600_000} ${PREVIEWED} pr-41`,
      $PULLED: `1000 ${PREVIEWED} pr-40`,
    };
    const tokens = Object.entries(expires).flatMap(([name, value]) =>
      projects.map((id) => [tokenKey(sha256(this.target(name)), id), value]),
    );
    return Object.fromEntries([
      ...projects.map((id) => [pointerKey(id), RELEASE]),
      ...tokens,
      [tokenKey(sha256("token-of-another-workspace"), "shop"), "never"],
    ]);
  }
}

/** @param drafted assets, each with an experience; with them also a project. */
function workspace(title: string, ...drafted: readonly (typeof PICTURE)[]) {
  const assets = [...ASSETS, ...drafted];
  const site = projectOf("site", "home", ...drafted.map(({ asset }) => asset.id));
  const empty = { id: "empty", key: "empty", name: "Empty", stepIds: [] };
  const withEmpty: Project = { ...site, experiences: [...site.experiences, empty] };
  return smallWorkspace({
    previewToken: FOLDER_TOKEN,
    projects: [
      withEmpty,
      projectOf("a.b-c_d"),
      projectOf(LONGEST),
      ...drafted.map(() => projectOf("drafted", "home")),
    ],
    entries: assets.map(({ asset: { id } }, index) => {
      const next = assets[index + 1]?.asset.id;
      return page(index === 0 ? "home" : id, title, {
        picture: { assetId: id },
        ...(next !== undefined && { next: { contentEntryId: next } }),
      });
    }),
    assets: assets.map(({ asset }) => asset),
    files: new Map(assets.map(({ file }) => file)),
  });
}

/** The hash of a percent-encoded token. */
function sha256(encoded: string): string {
  return createHash("sha256").update(decodeURIComponent(encoded)).digest("hex");
}
