import type { MintToken } from "../../page/minted-tokens.ts";
import type { Output, Remarks } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import type { Results } from "../results.ts";
import { envFileRemark, writeEnvFile } from "./site-env.ts";

/** How long before a token ends the next one is handed out, in milliseconds. */
const BEFORE_END = 30 * 60 * 1000;

/** H48: hands the address and a token by which a site reads the draft to its developer, once for each token. */
export type HandOut = (workspaceId: string, baseUrl: string, mintToken: MintToken) => void;

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
  const handOut: HandOut = (workspaceId, baseUrl, mintToken) => {
    const minted = mintToken(workspaceId);
    if (minted === undefined || minted.token === known) return;
    const { token, expiresAt } = minted;
    known = token;
    const variables = { SVC_URL: baseUrl, SVC_PREVIEW_TOKEN: token };
    const left = Date.parse(expiresAt) - Date.now() - BEFORE_END;
    setTimeout(handOut, left, workspaceId, baseUrl, mintToken).unref();
    if (file === undefined) {
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      output.result({ variables, expiresAt }, lines);
    } else {
      try {
        writeEnvFile(file, variables);
      } catch (error) {
        return reportError(error, { json: output.json, debug: false });
      }
      const names = Object.keys(variables).join(" and ");
      output.result({ file, written: true }, `wrote ${file}: ${names}`);
    }
    output.note(`your site reads the draft by them until ${expiresAt}`);
  };
  return handOut;
}
