import { createHash } from "node:crypto";
import type { ObjectStore } from "../object-store.ts";
import { bytesOf } from "./aws-service.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import { element, elementsOf, textOf } from "./xml.ts";

/** S3's limit of objects in a request. */
const BATCH = 1_000;

type Failed = Awaited<ReturnType<ObjectStore["delete"]>>[number];
type ETags = ReadonlyMap<string, string>;

/** `ObjectStore.delete`. */
export async function deleteObjects(
  bucket: S3Bucket,
  keys: readonly string[],
  etags: ETags = new Map(),
  beforeSend = () => {},
): Promise<Failed[]> {
  const failed: Failed[] = [];
  for (let at = 0; at < keys.length; at += BATCH) {
    failed.push(...(await deleteBatch(bucket, keys.slice(at, at + BATCH), etags, beforeSend)));
  }
  return failed;
}

async function deleteBatch(
  bucket: S3Bucket,
  keys: readonly string[],
  etags: ETags,
  beforeSend: () => void,
): Promise<Failed[]> {
  const send = async (ifMatch: ETags) => {
    const objects = keys.map((key) => toDelete(bucket, key, ifMatch));
    const body = element("Delete", [...objects, element("Quiet", "true")]);
    // Older stores require this checksum.
    const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
    const query = { delete: "" };
    const post = { method: "POST", query, headers, body, beforeSend } as const;
    const response = await bucket.send(undefined, post);
    return (await bytesOf(response)).toString();
  };
  const result = await bucket.request("s3:DeleteObject", () =>
    send(etags).catch((error: Error) => {
      // A store may not know the element ETag.
      if (etags.size === 0 || !/^(?:MalformedXML|NotImplemented)$/.test(error.name)) throw error;
      return send(new Map());
    }),
  );
  return elementsOf(result, "Error")
    .filter((error) => textOf(error, "Code") !== "NoSuchKey")
    .map((error) => ({
      key: textOf(error, "Key").slice(bucket.prefix.length),
      reason: ["Code", "Message"]
        .map((name) => textOf(error, name))
        .filter((text) => text !== "")
        .join(": ")
        .slice(0, 300),
    }));
}

function toDelete({ prefix }: S3Bucket, key: string, etags: ETags): string {
  const etag = etags.get(key);
  const parts = [element("Key", `${prefix}${key}`)];
  return element("Object", etag === undefined ? parts : [...parts, element("ETag", `"${etag}"`)]);
}
