import { expect, inject } from "vitest";
import {
  type AwsRequest,
  type AwsResponse,
  AwsService,
  bytesOf,
  percentEncoded,
} from "../../src/deploy/aws/aws-service.ts";
import { elementsOf, textOf } from "../../src/deploy/aws/xml.ts";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";
import { S3_USER } from "./ceph.ts";

/** An object as it is stored. */
export interface Stored {
  readonly text: string;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  readonly sha256: string | undefined;
}

let made = 0;

/** A new bucket on the suite's S3 server, with plain requests of its own. */
export class TestBucket {
  readonly name = `svc-${process.pid}-${Date.now().toString(36)}-${++made}`;
  readonly target = `s3://${this.name}`;
  readonly endpoint = inject("s3");
  /** The environment of a process that deploys to it. */
  readonly env: Readonly<Record<string, string>> = {
    ...credentialsEnv(S3_USER),
    SVC_DEPLOY_ENDPOINT: this.endpoint,
    SVC_DEPLOY_TARGET: this.target,
  };
  readonly #service = new AwsService({
    service: "s3",
    place: async () => ({
      region: "us-east-1",
      origin: new URL(`${this.endpoint}/${this.name}`),
    }),
    credentials: async () => S3_USER,
    concurrency: 8,
    signal: new AbortController().signal,
  });

  static async make(): Promise<TestBucket> {
    const bucket = new TestBucket();
    await bucket.create();
    return bucket;
  }

  async create(): Promise<void> {
    await this.#send("PUT", "");
  }

  /** Every key below the prefix, in order. */
  async keys(prefix = ""): Promise<string[]> {
    const keys: string[] = [];
    let after = "";
    do {
      const { text } = await this.#send("GET", "", "", { prefix, marker: after });
      const page = elementsOf(text, "Contents").map((object) => textOf(object, "Key"));
      keys.push(...page);
      after = textOf(text, "IsTruncated") === "true" ? (page.at(-1) ?? "") : "";
    } while (after !== "");
    return keys;
  }

  async object(key: string): Promise<Stored> {
    const { text, headers } = await this.#send("GET", key);
    return {
      text,
      contentType: headers["content-type"]?.toString(),
      cacheControl: headers["cache-control"]?.toString(),
      sha256: headers["x-amz-meta-sha256"]?.toString(),
    };
  }

  /** The bucket has these documents, and nothing of a deploy that has not finished. */
  async expectInPlace(expected: ReadonlyMap<string, string>): Promise<void> {
    const keys = (await this.keys()).filter((key) => !key.startsWith("."));
    expect(keys).toEqual([...expected.keys(), "503.json"].sort());
    for (const [key, text] of expected) expect((await this.object(key)).text, key).toBe(text);
    const manifest = await this.manifest();
    expect([manifest.deploy, manifest.touched]).toEqual([undefined, {}]);
  }

  /** The manifest of a deploy in place. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access it without types
  async manifest(): Promise<any> {
    return JSON.parse((await this.object(".svc-deploy.json")).text);
  }

  async has(key: string): Promise<boolean> {
    return this.#send("HEAD", key).then(
      () => true,
      () => false,
    );
  }

  async remove(key: string): Promise<void> {
    await this.#send("DELETE", key);
  }

  /** A write by another program. */
  async put(key: string, text: string): Promise<void> {
    await this.#send("PUT", key, text);
  }

  /** Denies everyone, or allows them, an action on the keys that match a pattern, and nothing else. */
  async policy(Effect: "Allow" | "Deny", Action: string, pattern: string): Promise<void> {
    const Resource = `arn:aws:s3:::${this.name}/${pattern}`;
    const Statement = [{ Effect, Principal: "*", Action, Resource }];
    await this.#send("PUT", "", JSON.stringify({ Version: "2012-10-17", Statement }), {
      policy: "",
    });
  }

  async #send(
    method: AwsRequest["method"],
    key: string,
    body = "",
    query: Readonly<Record<string, string>> = {},
  ): Promise<{ text: string; headers: AwsResponse["headers"] }> {
    const path = key === "" ? "" : `/${key.split("/").map(percentEncoded).join("/")}`;
    const response = await this.#service.send({
      method,
      path,
      query,
      ...(body !== "" && { body }),
    });
    return { text: (await bytesOf(response)).toString("latin1"), headers: response.headers };
  }
}
