import { expect, it } from "vitest";
import { didYouMean } from "../../src/workspace/did-you-mean.ts";

const NAMES = ["models", "entries", "author", "page", "id"];

it.each([
  ["autor", "author"],
  ["Entries", "entries"],
  ["entires", "entries"],
  ["entrys", "entries"],
  ["paeg", "page"],
  ["modells", "models"],
  ["ID", "id"],
])("%j is a misspelling of %j", (name, meant) => {
  expect(didYouMean(name, NAMES)).toBe(meant);
});

it.each(["", "x", "files", "locales", "pineapple", "ix", "authorship", `author${"s".repeat(200)}`])(
  "%j is a misspelling of none",
  (name) => {
    expect(didYouMean(name, NAMES)).toBeUndefined();
  },
);

it("the nearest name is meant, the first one of several", () => {
  expect(didYouMean("titel", ["titles", "title", "tite"])).toBe("title");
  expect(didYouMean("cat", ["car", "can"])).toBe("car");
  expect(didYouMean("cat", [])).toBeUndefined();
});
