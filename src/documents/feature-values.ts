import { byCodeUnit } from "../workspace/json.ts";
import type { Feature } from "../workspace/records.ts";

export type FeatureValues = Readonly<Record<string, readonly (string | false)[]>>;

/**
 * The values that each Text flag can serve, undefined when the workspace has no Text flag.
 *
 * S8: in order of the variants' keys by code unit, each value once. Neither a variant's name nor
 * its row order reaches the document.
 */
export function featureValues(features: readonly Feature[]): FeatureValues | undefined {
  const flags = features.filter(({ type }) => type === "text");
  if (flags.length === 0) return undefined;
  return Object.fromEntries(
    flags.map(({ key, variants = [] }) => {
      const sorted = [...variants].sort((a, b) => byCodeUnit(a.key, b.key));
      const values = sorted.map((variant) => (variant.value === false ? false : variant.key));
      return [key, [...new Set(values)]];
    }),
  );
}
