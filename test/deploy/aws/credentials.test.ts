import dns from "node:dns";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openObjectStore } from "../../../src/deploy/aws/s3-object-store.ts";
import { useEnv } from "../../support/deploy/aws-stand-in.ts";
import { listening } from "../../support/server/listening.ts";
import { temporaryFolder } from "../../support/test-bed.ts";

/** A server for S3 and STS: it gives a role's credentials, and records what S3 is asked. */
async function started() {
  const asked: string[] = [];
  const credentials = `<AccessKeyId>AKIAROLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
    <SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>`;
  const server = createServer((request, response) => {
    const { authorization = "", "x-amz-security-token": token } = request.headers;
    if (request.method === "POST") {
      const name = "AssumeRoleWithWebIdentity";
      const result = `<${name}Result><Credentials>${credentials}</Credentials></${name}Result>`;
      response.end(`<${name}Response>${result}</${name}Response>`);
      return;
    }
    const [, scope = ""] = /Credential=(\S+),/.exec(authorization) ?? [];
    asked.push([request.url, scope.replace(/\/\d{8}\//, " "), token].join(" ").trim());
    response.end("text");
  });
  return { asked, url: await listening(server) };
}

const { signal } = new AbortController();

const read = (bucket: string, endpoint?: string) =>
  openObjectStore({ bucket, prefix: "" }, { endpoint, concurrency: 1, signal }).get("a b");

/** The environment of a machine with these files of AWS's tools. */
function withFiles(config: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "config"), config);
  writeFileSync(join(folder, "token"), "a token");
  const none = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
  useEnv({
    ...none,
    AWS_REGION: undefined,
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: join(folder, "config"),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "none"),
    ...more,
  });
  return folder;
}

const KEYS = "aws_access_key_id = AKIAPROFILE\naws_secret_access_key = s\nregion = eu-west-3";

describe("the store of a deploy", () => {
  it("is found with the credentials, the region and the endpoint of a profile", async () => {
    const { asked, url } = await started();
    const other = `[profile other]\n${KEYS}\nendpoint_url = http://127.0.0.1:9`;
    withFiles(
      `${other}\n[profile own]\n${KEYS}\nservices = own\n[services own]\ns3 =\n  endpoint_url = ${url}\n`,
      {
        AWS_PROFILE: "own",
      },
    );
    expect((await read("bucket"))?.bytes.toString()).toBe("text");
    expect(asked).toEqual(["/bucket/a%20b AKIAPROFILE eu-west-3/s3/aws4_request"]);
  });

  it("is reached with the credentials of a role, which a token in a file proves", async () => {
    const { asked, url } = await started();
    const folder = withFiles("", {
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/deploy",
      AWS_ENDPOINT_URL_STS: url,
      AWS_REGION: "eu-west-1",
    });
    vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", join(folder, "token"));
    await read("bucket", url);
    expect(asked).toEqual(["/bucket/a%20b AKIAROLE eu-west-1/s3/aws4_request t"]);
  });

  it.each([
    ["bucket", "eu-west-1", "bucket.s3.eu-west-1.amazonaws.com"],
    ["my.bucket", "us-east-1", "s3.us-east-1.amazonaws.com"],
    ["bucket", "cn-north-1", "bucket.s3.cn-north-1.amazonaws.com.cn"],
  ])("%s in %s is on the host %s", async (bucket, region, host) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const asked = new Set<string>();
    vi.spyOn(dns, "lookup").mockImplementation(((name: string, ...rest: unknown[]) => {
      asked.add(name);
      const answer = rest.at(-1) as (error: Error) => void;
      process.nextTick(() => answer(Object.assign(new Error("none"), { code: "ENOTFOUND" })));
    }) as typeof dns.lookup);
    onTestFinished(() => void vi.restoreAllMocks());
    withFiles(`[default]\n${KEYS}`, { AWS_REGION: region });
    await expect(read(bucket)).rejects.toMatchObject({ code: "store-unreachable" });
    expect([...asked]).toEqual([host]);
  });
});
