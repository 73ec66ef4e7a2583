// Apart from deploy-options.ts, which loads more.
import { InvalidArgumentError, Option } from "commander";
import { KVS_ARN } from "../../deploy/key-value-store.ts";

export function kvsOption(): Option {
  return new Option(
    "--kvs <arn>",
    "the CloudFront KeyValueStore with the pointers to the live releases",
  )
    .env("SVC_DEPLOY_KVS")
    .argParser(toKvs);
}

function toKvs(text: string): string {
  if (KVS_ARN.test(text)) return text;
  throw new InvalidArgumentError(
    "the format is arn:aws:cloudfront::<12 digits>:key-value-store/<id>",
  );
}

export function endpointOption(): Option {
  return new Option("--endpoint <url>", "an S3-compatible store other than AWS")
    .env("SVC_DEPLOY_ENDPOINT")
    .argParser(toEndpoint);
}

function toEndpoint(text: string): string {
  if (/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : "")) return text;
  throw new InvalidArgumentError("an endpoint starts with http:// or https://");
}
