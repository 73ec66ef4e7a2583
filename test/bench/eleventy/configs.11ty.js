import { configs } from "./site.js";

export const data = {
  addresses: [...configs.keys()],
  pagination: { data: "addresses", size: 1, alias: "address" },
  permalink: ({ address }) => address,
};

export function render({ address }) {
  return configs.get(address);
}
