import { contents } from "./site.js";

export const data = {
  addresses: [...contents.keys()],
  pagination: { data: "addresses", size: 1, alias: "address" },
  permalink: ({ address }) => address,
};

export function render({ address }) {
  return contents.get(address).toString();
}
