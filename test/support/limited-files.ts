import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** What a file system cannot do. */
export interface Limits {
  /** Windows: replace and remove files that a process has open. */
  readonly openFiles?: boolean;
  /** exFAT and some network shares: make hard links; the code of the error. */
  readonly links?: string;
  /** A full disk: write more than so many bytes from now on. */
  readonly room?: number;
}

/** Makes the file functions of this process fail as on such a system. Returns a function that undoes this. */
export function limitFiles({ openFiles = false, links, room }: Limits): () => void {
  const { renameSync, rmSync, linkSync, writeFileSync } = fs;
  const refuse = (code: string, call: string) => {
    throw Object.assign(new Error(`${code}: ${call}`), { code });
  };
  if (openFiles) {
    fs.rmSync = (path, options) => {
      if (isOpen(path)) refuse("EBUSY", "rm");
      rmSync(path, options);
    };
    fs.renameSync = (from, to) => {
      if (isOpen(from)) refuse("EBUSY", "rename");
      if (isOpen(to)) refuse("EPERM", "rename");
      renameSync(from, to);
    };
  }
  if (links !== undefined) {
    fs.linkSync = () => refuse(links, "link");
  }
  if (room !== undefined) {
    let left = room;
    fs.writeFileSync = (file, data, options) => {
      left -= Buffer.byteLength(data as string | Uint8Array);
      if (left < 0) refuse("ENOSPC", "write");
      writeFileSync(file, data, options);
    };
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { renameSync, rmSync, linkSync, writeFileSync });
    syncBuiltinESMExports();
  };
}

/** Options of Node that limit the files of a program. */
export function limitedBy(limits: Limits): string[] {
  const code = `import { limitFiles } from "${import.meta.url}"; limitFiles(${JSON.stringify(limits)});`;
  return ["--import", `data:text/javascript,${encodeURIComponent(code)}`];
}

/** Whether any process has the file open, as /proc lists it. */
function isOpen(path: PathLike): boolean {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return false;
  const real = fs.realpathSync(path);
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => openFilesOf(pid).includes(real));
}

function openFilesOf(pid: string): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return fs.readdirSync(folder).map((name) => {
      try {
        return fs.readlinkSync(`${folder}/${name}`);
      } catch {
        return "";
      }
    });
  } catch {
    // It has ended.
    return [];
  }
}
