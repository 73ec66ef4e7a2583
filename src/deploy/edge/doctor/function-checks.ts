import { printRequestFunction } from "../function/print-request-function.ts";
import { printResponseFunction } from "../function/print-response-function.ts";
import { type Check, failed, ok, skipped, verdict } from "./check.ts";
import { type DistributionSource, functionAt } from "./distribution-source.ts";
import type { DoctorSetup } from "./doctor-setup.ts";

const OUTDATED = "the live code is not the code of this version of svc";
const UPDATE = "deploy the stack of svc cdn template again, which updates the functions";

/** Checks that every behavior runs the edge functions that this version of svc prints. */
export function functionChecks({ kvs }: DoctorSetup): readonly Check<DistributionSource>[] {
  return [
    {
      id: "edge-function",
      title: "every behavior runs the edge function of this version of svc",
      async run(source) {
        const arns = source.behaviors.map((behavior) => functionAt(behavior, "viewer-request"));
        const faults = source.behaviors
          .filter((_, index) => arns[index] === undefined)
          .map(({ path }) => `${path}: no function for viewer requests`);
        for (const arn of new Set(arns.filter((one) => one !== undefined))) {
          const usesStore = (await storesOf(source, arn)).length > 0;
          const code = await source.functionCode(arn);
          if (code !== printRequestFunction({ kvs: usesStore })) {
            faults.push(OUTDATED);
          }
        }
        return verdict(faults, "live and up to date", UPDATE);
      },
    },
    {
      id: "response-function",
      title: "viewers do not cache releases as immutable",
      async run(source) {
        const [first] = source.behaviors;
        const request = first && functionAt(first, "viewer-request");
        const response = first && functionAt(first, "viewer-response");
        const isInPlace = request !== undefined && (await storesOf(source, request)).length === 0;
        if (isInPlace && response === undefined)
          return ok("in place: objects have the header for viewers");
        if (response === undefined) {
          return failed("viewers cache releases as immutable, for a year", UPDATE);
        }
        const isRight = (await source.functionCode(response)) === printResponseFunction();
        const faults = isRight ? [] : [OUTDATED];
        return verdict(faults, "live and up to date", UPDATE);
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
