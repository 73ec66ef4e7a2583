import { Option } from "commander";
import type { ObjectBody } from "../../../deploy/object-store.ts";
import { textBody } from "../../../deploy/published-folder.ts";
import { conditionsIgnored, honoursConditions } from "../../../deploy/refusals.ts";
import { parseTarget } from "../../../deploy/target.ts";
import { copyStore, markOf } from "../../../store/copy-store.ts";
import { removeAbandoned, removeStore, temporaryStore } from "../../../store/with-store.ts";
import { SvcError } from "../../../workspace/errors.ts";
import { action, command } from "../../command.ts";
import { sizeText } from "../../output/deploy-lines.ts";
import type { Output } from "../../output/output.ts";
import { shellWord } from "../../output/shell-word.ts";
import {
  type KeptStore,
  type KeptStoreOptions,
  openKeptStore,
  withKeptStore,
} from "../../store/kept-store.ts";
import { remember, rememberedFile } from "../../store/remembered-copy.ts";
import { storeBody } from "../../store/store-body.ts";

const HEADERS = { "Content-Type": "application/vnd.sqlite3", "Cache-Control": "no-store" };

interface PushOptions extends KeptStoreOptions {
  readonly target?: string;
}

export const storePush = withKeptStore(
  command("push", ["svc store push s3://acme-store/workspace.db"]).description(
    "Put a copy of the store into a bucket, unless somebody else has pushed since it was pulled. A store " +
      "has drafts and hashes of tokens: use a private bucket, not the one that the CDN reads.",
  ),
)
  .addOption(
    new Option(
      "--target <target>",
      "where svc deploy puts what is served: no place for a store",
    ).env("SVC_DEPLOY_TARGET"),
  )
  .action(
    action<PushOptions>(async (output, options, given = "") => {
      const { store: file, target } = options;
      const kept = await openKeptStore(given, options, output);
      if (target) assertNotServed(kept, target);
      const mark = markOf(file);
      const { address, remembered, objects, key } = kept;
      if (remembered?.mark === mark) {
        const head = await objects.head(key);
        if (head?.etag === remembered.etag) {
          const { etag, size: bytes } = head;
          const text = `${address} has what ${file} has: nothing to push`;
          output.result({ address, etag, bytes, pushed: false }, text);
          return 0;
        }
      }
      const { etag, bytes } = await sendStore(file, kept, output);
      output.result(
        { address, etag, bytes, pushed: true },
        `${address}: ${sizeText(bytes)} from ${file}`,
      );
      return 0;
    }),
  );

async function sendStore(
  file: string,
  kept: KeptStore,
  output: Output,
): Promise<{ etag: string; bytes: number }> {
  removeAbandoned(file);
  const copy = temporaryStore(file);
  try {
    output.note(`copying ${file}`);
    const mark = copyStore(file, copy);
    const body = await storeBody(copy, output);
    const { address, endpoint, objects, key, remembered } = kept;
    await assertConditional(kept);
    const condition =
      remembered === undefined ? ({ ifAbsent: true } as const) : { ifMatch: remembered.etag };
    const etag =
      (await objects.put(key, body, HEADERS, condition)) ??
      (await etagOrConflict(file, kept, body));
    remember(file, { address, endpoint, etag, mark });
    return { etag, bytes: body.size };
  } finally {
    removeStore(copy);
  }
}

/** R13: on an object beside it, since a store that ignores conditions replaces what it is tried on. */
async function assertConditional({ objects, key }: KeptStore): Promise<void> {
  const probe = `${key}.conditions`;
  const body = textBody("svc tries here whether writes with conditions are refused.\n");
  const headers = { "Content-Type": "text/plain" };
  await objects.put(probe, body, headers, { ifAbsent: true });
  if (!(await honoursConditions(objects, probe, body, headers))) throw conditionsIgnored(objects);
}

/** The ETag of an object that has our bytes: an earlier push was killed after its upload. */
async function etagOrConflict(file: string, kept: KeptStore, body: ObjectBody): Promise<string> {
  const { objects, key, address, remembered } = kept;
  const head = await objects.head(key);
  if (head?.sha256 === body.sha256) return head.etag;
  const [what, hint] =
    head === undefined
      ? [
          `${address} was removed since the store "${file}" was pulled or pushed`,
          `remove ${shellWord(rememberedFile(file))} and push again, if it shall be there`,
        ]
      : [
          remembered === undefined
            ? `there is a store at ${address}, and the store "${file}" was not pulled from there`
            : `somebody else has pushed to ${address} since the store "${file}" was pulled or pushed`,
          "nothing is lost, both are as they were: svc store pull " +
            `${shellWord(address)} --discard replaces the local one (with --store <file>, beside it); repeat your change there, and push again`,
        ];
  throw new SvcError("store-conflict", what, { hint });
}

function assertNotServed({ address }: KeptStore, target: string): void {
  const { bucket, prefix } = parseTarget(target);
  if (!address.startsWith(`s3://${bucket}/${prefix}`)) return;
  throw new SvcError("store-served", `${address} is where svc deploy puts what everyone may read`, {
    hint: `a store has drafts and hashes of tokens: keep it in a private bucket, not in ${target}`,
  });
}
