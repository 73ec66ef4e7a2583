import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../documents/version-id.ts";
import { SvcError } from "../../workspace/errors.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import { plainFileFault } from "../asset-records.ts";
import { Faults, openReading, type Reading } from "../reading.ts";
import { ExportList } from "./export-list.ts";

export type Chunks = Iterable<string | Uint8Array>;

export class ExportPlan {
  readonly folder: string;
  readonly reading: Reading;
  readonly before: ExportList;
  /** The files of this one that earlier exports wrote, or that it writes. */
  readonly after: ExportList;
  readonly faults = new Faults();
  readonly #used = new Set<string>();
  readonly #writes = new Set<string>();
  unchanged = 0;

  constructor(folder: string, before: ExportList) {
    this.folder = folder;
    this.reading = openReading(folder);
    this.before = before;
    this.after = new ExportList(before.workspaceId);
  }

  get writes(): ReadonlySet<string> {
    return this.#writes;
  }

  isUsed(path: string): boolean {
    return this.#used.has(path);
  }

  /** Keeps a file, whoever wrote it. */
  use(path: string): void {
    this.#used.add(path);
  }

  /**
   * G3a: adds a file of the export. One that is there is replaced only when an export wrote it.
   *
   * @param isSame whether the text that is there says the same in another way; it stays then.
   */
  add(path: string, hash: string, isSame: (text: string) => boolean = () => false): void {
    if (this.#used.has(path)) return;
    this.#used.add(path);
    const bytes = this.#read(path);
    const found = bytes && sha256(bytes);
    const isOwn = bytes !== undefined && this.#isListed(path, bytes);
    if (bytes === undefined || (isOwn && found !== hash)) {
      this.#writes.add(path);
      this.after.add(path, hash);
    } else if (found === hash || isSame(bytes.toString())) {
      this.unchanged += 1;
      if (isOwn) this.after.add(path, hash);
    } else {
      this.faults.add({
        code: "file-in-the-way",
        file: path,
        message: "was changed after the export, or is of no export",
      });
    }
  }

  isOwn(path: string): boolean {
    const bytes = this.#read(path);
    return bytes !== undefined && this.#isListed(path, bytes);
  }

  /** Files of earlier exports that are as these wrote them, and that this one does not have. */
  removals(): string[] {
    return [...this.before.paths]
      .filter((path) => !this.#used.has(path))
      .filter((path) => plainFileFault(this.reading, path) === undefined && this.isOwn(path))
      .sort(byCodeUnit);
  }

  /** @throws SvcError `folder-changed`. */
  throwIfFaults(): void {
    if (!this.faults.any) return;
    throw new SvcError(
      "folder-changed",
      `"${this.folder}" has files that svc export would replace and did not write`,
      {
        hint: "import the folder, or move these files away, and run the command again; nothing was changed",
        problems: { kind: "folder", list: this.faults.list, folder: this.folder },
      },
    );
  }

  /** Git may have checked the file out with CRLF. */
  #isListed(path: string, bytes: Buffer): boolean {
    if (this.before.has(path, sha256(bytes))) return true;
    const lines = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
    return lines.length < bytes.length && this.before.has(path, sha256(lines));
  }

  #read(path: string): Buffer | undefined {
    const at = join(this.folder, path);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return stats.isFile() ? readFileSync(at) : Buffer.of();
  }
}

export function hashOfChunks(chunks: Chunks): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
