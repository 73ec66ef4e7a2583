import { isUtf8 } from "node:buffer";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { replaceFile } from "../../files/replace-file.ts";
import type { MintedToken } from "../../page/minted-tokens.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { Output, Remarks } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import type { Results } from "../results.ts";

/** How long before a token ends the next one is handed out, in milliseconds. */
const BEFORE_END = 30 * 60 * 1000;

/** H48: hands the address and a token by which a site reads the draft to its developer, once for each token. */
export type HandOut = (baseUrl: string, mintToken: MintToken) => Promise<void>;

/** Undefined: the workspace has been removed since. */
type MintToken = () => Promise<MintedToken | undefined>;

/**
 * @param file where they are written; undefined: they are printed.
 * @throws UsageError for a file that Git has.
 */
export function siteAccess(
  output: Output<Results["dev"]> & Remarks,
  file: string | undefined,
): HandOut {
  const remark = file && envFileRemark(file);
  if (remark) output.note(`warning: ${remark}`);
  let known: string | undefined;
  const handOut: HandOut = async (baseUrl, mintToken) => {
    const minted = await mintToken();
    if (minted === undefined || minted.token === known) return;
    const { token, expiresAt } = minted;
    known = token;
    const variables = { SVC_URL: baseUrl, SVC_PREVIEW_TOKEN: token };
    const left = Date.parse(expiresAt) - Date.now() - BEFORE_END;
    setTimeout(handOut, left, baseUrl, mintToken).unref();
    if (file === undefined) {
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      output.result({ variables, expiresAt }, lines);
    } else {
      try {
        writeEnvFile(file, variables);
      } catch (error) {
        reportError(error, { json: output.json, debug: false });
        return;
      }
      const names = Object.keys(variables).join(" and ");
      output.result({ file, written: true }, `wrote ${file}: ${names}`);
    }
    output.note(`your site reads the draft by them until ${expiresAt}`);
  };
  return handOut;
}

/** Only its owner reads it: it has a token. */
const MODE = 0o600;

/** In milliseconds. */
const GIT_TIMEOUT = 5000;

/**
 * H48a: refuses a file that Git has.
 *
 * @returns why Git could come to have it; undefined: it is ignored, or in no repository.
 * @throws UsageError
 */
function envFileRemark(file: string): string | undefined {
  if (git(file, "ls-files", "--error-unmatch") === 0) {
    throw new UsageError(
      `Git has "${file}", and a token must not be committed`,
      "name a file that Git ignores, as --env .env.local",
    );
  }
  const isOpen = git(file, "check-ignore", "--quiet") === 1;
  return isOpen ? `Git does not ignore "${file}": add it to .gitignore` : undefined;
}

/** The exit status; others than those of the command where there is no Git or no repository. */
function git(file: string, ...words: readonly string[]): number | null {
  // The file that a link leads to is the one that is written.
  const path = existsSync(file) ? realpathSync(file) : file;
  const place = ["-C", dirname(path), "-c", "core.fsmonitor=false"];
  const args = [...place, ...words, "--", `./${basename(path)}`];
  return spawnSync("git", args, { stdio: "ignore", timeout: GIT_TIMEOUT }).status;
}

/**
 * H48a: sets variables in a file; all other lines stay as they are.
 *
 * @throws UsageError for one that is not UTF-8, of which they would not.
 */
export function writeEnvFile(file: string, variables: Readonly<Record<string, string>>): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  // Before the token is in it.
  if (stats?.isFile() && (stats.mode & 0o077) !== 0) chmodSync(file, MODE);
  const bytes = stats?.isFile() ? readFileSync(file) : Buffer.alloc(0);
  if (!isUtf8(bytes)) {
    throw new UsageError(`"${file}" is not UTF-8`, "save it as UTF-8, or name another file");
  }
  let text = bytes.toString();
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  for (const [name, value] of Object.entries(variables)) {
    const line = `${name}=${value}`;
    // All of them: readers take the last one.
    const known = new RegExp(`^(\\ufeff?)[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, "gm");
    if (known.test(text)) text = text.replace(known, (_, mark: string) => mark + line);
    else text += `${text === "" || text.endsWith("\n") ? "" : end}${line}${end}`;
  }
  replaceFile(file, text, MODE);
}
