import { describe, expect, it } from "vitest";
import { parseTarget, targetName } from "../../src/deploy/target.ts";

describe("the target of a deploy", () => {
  it.each([
    ["s3://bucket", "", "s3://bucket"],
    ["s3://bucket/", "", "s3://bucket"],
    ["s3://bucket/api", "api/", "s3://bucket/api"],
    ["s3://my.bucket-1/a/b_c/", "a/b_c/", "s3://my.bucket-1/a/b_c"],
  ])("%s has the prefix '%s'", (text, prefix, name) => {
    const target = parseTarget(text);
    expect(target.prefix).toBe(prefix);
    expect(targetName(target)).toBe(name);
  });

  it.each([
    "",
    "bucket",
    "s3:/bucket",
    "s3://",
    "S3://bucket",
    "https://bucket.s3.amazonaws.com",
    "s3://Bucket",
    "s3://-bucket",
    "s3://b",
    "s3://bucket//a",
    "s3://bucket/a//b",
    "s3://bucket/../x",
    "s3://bucket/.",
    "s3://bucket/a b",
    "s3://bucket/ä",
    "s3://bucket?x",
  ])("'%s' is not a target", (text) => {
    expect(() => parseTarget(text)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
