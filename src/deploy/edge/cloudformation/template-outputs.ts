import type { JsonObject, JsonValue } from "../../../workspace/json.ts";
import { attribute, either, ref, sub } from "./template-section.ts";

/** The outputs of the stack, which `svc deploy` and `svc cdn doctor` take as arguments. */
export function outputs({ kvs }: { kvs: boolean }): JsonObject {
  const edge = kvs ? "--kvs {Pointers.Arn}" : "--distribution {Distribution}";
  return {
    BucketName: output("The bucket", ref("Bucket")),
    Target: output("The target of svc deploy", forPrefix("s3://{Bucket}")),
    ...(kvs && {
      KeyValueStoreArn: output("The store of pointers", attribute("Pointers", "Arn")),
    }),
    DistributionId: output("The distribution", ref("Distribution")),
    DistributionDomainName: output(
      "The host name of the distribution",
      attribute("Distribution", "DomainName"),
    ),
    BaseUrl: output(
      "The base url of the API",
      forHost((host) => sub(`https://${host}/api/v1`)),
    ),
    DeployRoleArn: output("The role for the workflow", attribute("DeployRole", "Arn")),
    DeployCommand: output(
      "How to deploy out/",
      forHost((host) =>
        forPrefix("svc deploy s3://{Bucket}", ` ${edge} --url https://${host}/api/v1`),
      ),
    ),
  };
}

function output(description: string, value: JsonValue): JsonObject {
  return { Description: description, Value: value };
}

function forPrefix(before: string, after = ""): JsonValue {
  return either("HasPrefix", sub(`${before}/{Prefix}${after}`), sub(`${before}${after}`));
}

function forHost(make: (host: string) => JsonValue): JsonValue {
  return either("HasAliases", withFirstAlias(make("{Alias}")), make("{Distribution.DomainName}"));
}

/** Gives every `Fn::Sub` in a value the variable `Alias`. */
function withFirstAlias(value: JsonValue): JsonValue {
  const alias = { Alias: { "Fn::Select": [0, ref("Aliases")] } };
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    key === "Fn::Sub" ? [inner, alias] : inner,
  );
}
