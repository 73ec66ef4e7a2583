import {
  type CacheBehavior,
  type CachePolicyConfig,
  type CloudFrontClient,
  type DefaultCacheBehavior,
  DescribeFunctionCommand,
  type DistributionConfig,
  type FunctionSummary,
  GetCachePolicyConfigCommand,
  GetDistributionConfigCommand,
  GetFunctionCommand,
  GetOriginAccessControlConfigCommand,
  GetResponseHeadersPolicyConfigCommand,
  type OriginAccessControlConfig,
  type ResponseHeadersPolicyConfig,
} from "@aws-sdk/client-cloudfront";

export type Behavior = Omit<CacheBehavior, "PathPattern"> & { readonly path: string };

export const DEFAULT_PATH = "*";

/** A live distribution, whose parts are requested when a check needs them. */
export class DistributionSource {
  readonly config: DistributionConfig;
  readonly #client: CloudFrontClient;

  constructor(client: CloudFrontClient, config: DistributionConfig) {
    this.#client = client;
    this.config = config;
  }

  static async open(client: CloudFrontClient, id: string): Promise<DistributionSource> {
    const found = await client.send(new GetDistributionConfigCommand({ Id: id }));
    return new DistributionSource(client, present(found.DistributionConfig));
  }

  /** The default behavior first. */
  get behaviors(): Behavior[] {
    const first: DefaultCacheBehavior = present(this.config.DefaultCacheBehavior);
    const others = this.config.CacheBehaviors?.Items ?? [];
    return [
      { ...first, path: DEFAULT_PATH },
      ...others.map((behavior) => ({ ...behavior, path: behavior.PathPattern ?? "" })),
    ];
  }

  async cachePolicy(id: string): Promise<CachePolicyConfig> {
    const found = await this.#client.send(new GetCachePolicyConfigCommand({ Id: id }));
    return present(found.CachePolicyConfig);
  }

  async headersPolicy(id: string): Promise<ResponseHeadersPolicyConfig> {
    const found = await this.#client.send(new GetResponseHeadersPolicyConfigCommand({ Id: id }));
    return present(found.ResponseHeadersPolicyConfig);
  }

  async accessControl(id: string): Promise<OriginAccessControlConfig> {
    const found = await this.#client.send(new GetOriginAccessControlConfigCommand({ Id: id }));
    return present(found.OriginAccessControlConfig);
  }

  /** The code of the live stage of a function. */
  async functionCode(arn: string): Promise<string> {
    const found = await this.#client.send(
      new GetFunctionCommand({ Name: nameOf(arn), Stage: "LIVE" }),
    );
    return Buffer.from(found.FunctionCode ?? []).toString();
  }

  async functionSummary(arn: string): Promise<FunctionSummary> {
    const found = await this.#client.send(
      new DescribeFunctionCommand({ Name: nameOf(arn), Stage: "LIVE" }),
    );
    return present(found.FunctionSummary);
  }
}

/** The ARN of the function that a behavior runs at an event. */
export function functionAt(
  behavior: Behavior,
  event: "viewer-request" | "viewer-response",
): string | undefined {
  return behavior.FunctionAssociations?.Items?.find(({ EventType }) => EventType === event)
    ?.FunctionARN;
}

function nameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf("/") + 1);
}

/** Optional in the SDK's types, but in every response of CloudFront. */
function present<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("CloudFront's response lacks the requested part");
  return part;
}
