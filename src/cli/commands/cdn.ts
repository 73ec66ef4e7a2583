import { resolve } from "node:path";
import { IN_BUCKET } from "../../deploy/key-value-store.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { Output } from "../output/output.ts";
import { styled } from "../output/print.ts";
import { counted } from "../output/words.ts";
import type { Results } from "../results.ts";
import type { Run } from "../table/table.ts";

// Each command imports only what it runs: a client takes longer than the rest.

export const cdnFunction: Run<"cdn function"> = async (output, { kvs, previewOrigin }) => {
  if (!kvs && previewOrigin !== undefined) throw excluded("--preview-origin");
  const { printRequestFunction } = await import("../../deploy/edge/functions.ts");
  const preview = previewOrigin === undefined ? {} : { preview: previewOrigin };
  printText(output, printRequestFunction({ kvs, ...preview }));
};

export const cdnWorker: Run<"cdn worker"> = async (output) => {
  const { printWorker } = await import("../../deploy/edge/functions.ts");
  printText(output, printWorker());
};

export const cdnTemplate: Run<"cdn template"> = async (
  output,
  { kvs, preview = false, format },
) => {
  if (preview && !kvs) throw excluded("--preview");
  const { templateDocument, templateYaml } = await import("../../deploy/edge/template.ts");
  const document = templateDocument({ kvs, preview });
  const yaml = templateYaml({ kvs, preview }).trimEnd();
  // --json prints the template itself, on one line.
  output.file(document, format === "json" ? JSON.stringify(document, undefined, 2) : yaml);
};

function excluded(option: string): UsageError {
  return new UsageError(
    `${option} and --no-kvs exclude each other`,
    "preview tokens are kept in the KeyValueStore: leave one of the two out",
  );
}

export const cdnNginx: Run<"cdn nginx"> = async (output, options) => {
  const { out, port, serverName, preview, accessLog } = options;
  const { nginxConfig } = await import("../../deploy/edge/nginx.ts");
  const text = nginxConfig({
    out: resolve(out),
    port,
    accessLog: accessLog === "off" ? accessLog : resolve(accessLog),
    ...(serverName !== undefined && { serverName }),
    ...(preview !== undefined && { preview }),
  });
  printText(output, text);
};

function printText(output: Output<Results["cdn nginx"]>, text: string): void {
  output.file({ text, bytes: Buffer.byteLength(text) }, text);
}

export const cdnTokens: Run<"cdn tokens"> = async (output, { store: file, workspace, kvs }) => {
  if (kvs === undefined) {
    throw new UsageError("--kvs is missing", "give the ARN of the edge function's KeyValueStore");
  }
  const { applyPointerUpdate, planTokens } = await import("../../deploy/releases/pointers.ts");
  const { withStore } = await import("../../store/with-store.ts");
  const edge = await keyValues(kvs);
  const { tokens, withoutEnd, projectIds } = await withStore(file, (store) =>
    store.read(() => {
      const found = store.workspace(workspace);
      const projectIds = store.draft(found).projects.map(({ id }) => id);
      // L8a.
      const withoutEnd = store.tokens
        .list(found.number)
        .filter(({ expiresAt }) => expiresAt === null)
        .map(({ id, name }) => ({ id, name }));
      return { tokens: store.tokens.valid(found.number, new Date()), withoutEnd, projectIds };
    }),
  );
  const state = await edge.read();
  const changes = planTokens(state, tokens, projectIds);
  await applyPointerUpdate(edge, state, changes);
  const added = changes.filter(({ after }) => after !== undefined).length;
  const removed = changes.length - added;
  const value = { tokens: tokens.length, projects: projectIds, added, removed, withoutEnd };
  const text = `${counted(tokens.length, "token")} for ${counted(projectIds.length, "project")}`;
  output.result(value, `${text}: ${added} keys added, ${removed} removed`);
  if (withoutEnd.length === 0) return;
  const names = withoutEnd.map(({ id, name }) => `${id} (${name})`).join(", ");
  output.note(
    `warning: ${counted(withoutEnd.length, "token has", "tokens have")} no end: ${names}; svc token revoke <id> removes one, and a previewToken of workspace.json goes with the next import without it`,
  );
};

async function keyValues(kvs: string) {
  const { openKeyValueStore } = await import("../../deploy/aws/cloudfront-key-value-store.ts");
  return openKeyValueStore(kvs, { signal: new AbortController().signal });
}

const COLOURS = { ok: "green", failed: "red", skipped: "yellow" } as const;

export const cdnDoctor: Run<"cdn doctor"> = async (output, options) => {
  const { url, project } = options;
  // Pointers in a bucket are read with its credentials: the doctor has what clients have.
  const kvs = options.kvs === IN_BUCKET ? undefined : options.kvs;
  if (kvs === undefined && url === undefined) {
    throw new UsageError(
      "there is nothing to check",
      "give --url, the ARN of a KeyValueStore as --kvs, or both",
    );
  }
  const { serverUrl } = await import("../../http/server-url.ts");
  const host = url === undefined ? undefined : serverUrl(url);
  const { diagnose } = await import("../../deploy/edge/doctor.ts");
  const { ok, checks } = await diagnose({
    ...(project !== undefined && { project }),
    ...(host !== undefined && { host }),
    ...(host?.startsWith("https:") && { plainHost: host.replace(/^https/, "http") }),
    ...(kvs !== undefined && { keyValues: await keyValues(kvs) }),
  });
  const counts = { ok: 0, failed: 0, skipped: 0 };
  for (const { status } of checks) counts[status] += 1;
  const lines = checks.flatMap(({ id, title, status, detail, hint }) => [
    `${styled(COLOURS[status], status.padEnd(7), process.stdout)} ${id.padEnd(17)} ${title}`,
    ...(status === "ok" ? [] : [`        ${detail}`]),
    ...(hint === undefined ? [] : [`        hint: ${hint}`]),
  ]);
  const summary = `${counted(checks.length, "check")}: ${counts.ok} ok, ${counts.failed} failed, ${counts.skipped} skipped`;
  output.result({ ok, checks, counts }, [...lines, summary]);
  return ok ? 0 : 1;
};
