import { PREVIEW_ORIGIN } from "../cloudformation/template-distribution.ts";
import { edgeSource } from "../cloudformation/template-functions.ts";
import { edgeResponseFunction } from "../function/response-function.ts";
import { type DistributionSource, functionAt } from "./distribution-source.ts";
import { type Check, failed, ok, skipped, verdict } from "./doctor-check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";

const UPDATE = "deploy the stack of svc cdn template again: it brings the functions up to date";

/** That the functions at the edge are those that this svc prints, live and on every behavior. */
export function functionChecks({ kvs }: DoctorSetup): readonly Check<DistributionSource>[] {
  return [
    {
      id: "edge-function",
      title: "the edge function of this svc stands in front of every behavior",
      async run(source) {
        const arns = source.behaviors.map((behavior) => functionAt(behavior, "viewer-request"));
        const faults = source.behaviors
          .filter((_, index) => arns[index] === undefined)
          .map(({ path }) => `${path}: no function sees the requests`);
        for (const arn of new Set(arns.filter((one) => one !== undefined))) {
          const preview = (source.config.Origins?.Items ?? []).some(
            ({ Id }) => Id === PREVIEW_ORIGIN,
          );
          const usesStore = (await storesOf(source, arn)).length > 0;
          const code = await source.functionCode(arn);
          if (code !== edgeSource({ kvs: usesStore, preview })) {
            faults.push("the live code is not what this svc prints");
          }
        }
        return verdict(faults, "live, and as printed", UPDATE);
      },
    },
    {
      id: "response-function",
      title: "viewers of releases are told to ask again",
      async run(source) {
        const [first] = source.behaviors;
        const request = first && functionAt(first, "viewer-request");
        const response = first && functionAt(first, "viewer-response");
        const isInPlace = request !== undefined && (await storesOf(source, request)).length === 0;
        if (isInPlace && response === undefined) return ok("in place: objects say it themselves");
        if (response === undefined) {
          return failed("releases are told to viewers as immutable, for a year", UPDATE);
        }
        const isRight = (await source.functionCode(response)) === edgeResponseFunction();
        const faults = isRight ? [] : ["the live code is not what this svc prints"];
        return verdict(faults, "live, and as printed", UPDATE);
      },
    },
    {
      id: "function-store",
      title: "the edge function reads the KeyValueStore that svc deploy writes",
      async run(source) {
        if (kvs === undefined) return skipped("--kvs is not given");
        const arns = source.behaviors.flatMap(
          (behavior) => functionAt(behavior, "viewer-request") ?? [],
        );
        const stores = new Set<string>();
        for (const arn of new Set(arns)) {
          for (const store of await storesOf(source, arn)) stores.add(store);
        }
        const found = [...stores].join(", ") || "none";
        return verdict(found === kvs ? [] : [`it reads ${found}`], kvs, UPDATE);
      },
    },
  ];
}

async function storesOf(source: DistributionSource, arn: string): Promise<string[]> {
  const { FunctionConfig } = await source.functionSummary(arn);
  const stores = FunctionConfig?.KeyValueStoreAssociations?.Items ?? [];
  return stores.flatMap(({ KeyValueStoreARN }) => KeyValueStoreARN ?? []);
}
