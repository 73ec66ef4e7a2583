import { didYouMean } from "../workspace/did-you-mean.ts";

/** By the object that has the names. Many entries may have the same wrong name. */
const found = new WeakMap<object, Map<string, { readonly suggestion?: string }>>();

/** Of these names of `owner` the one that is probably meant, as an argument of problems. */
export function suggested(
  name: string,
  owner: object,
  names: () => Iterable<string>,
): { readonly suggestion?: string } {
  const ofOwner = found.get(owner) ?? new Map<string, { readonly suggestion?: string }>();
  found.set(owner, ofOwner);
  const known = ofOwner.get(name);
  if (known !== undefined) return known;
  const suggestion = didYouMean(name, names());
  const argument = suggestion === undefined ? {} : { suggestion };
  ofOwner.set(name, argument);
  return argument;
}
