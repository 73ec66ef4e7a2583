import { describe, expect, it } from "vitest";
import { element, elementsOf, textOf } from "../../../src/deploy/aws/xml.ts";

describe("the XML of a response", () => {
  it.each([
    ["<Key>a</Key>", "a"],
    ['<r xmlns="x"><KeyCount>1</KeyCount><Key >b</Key></r>', "b"],
    ["<Key>&lt;&amp;&gt;&quot;&apos;&#252;&#x1F600;</Key>", "<&>\"'ü😀"],
    ["<Key>&amp;lt; &unknown; &#x110000;</Key>", "&lt; &unknown; &#x110000;"],
    ["<Key>never closed", ""],
    ["<Key/>", ""],
    ["", ""],
    ["<html>busy</html>", ""],
  ])("%s has the key '%s'", (xml, text) => {
    expect(textOf(xml, "Key")).toBe(text);
  });

  it("has as many elements as are closed, in time that grows with its length", () => {
    const many = "<Contents><Key>a</Key></Contents>".repeat(20_000);
    const start = process.threadCpuUsage();
    expect(elementsOf(many, "Contents")).toHaveLength(20_000);
    expect(elementsOf("<Contents>".repeat(200_000), "Contents")).toEqual([]);
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(2_000);
  });

  it("is read as it was written", () => {
    const text = "a<b>&amp;\r\n\t'\"ü";
    expect(textOf(element("Delete", [element("Key", text)]), "Key")).toBe(text);
  });
});
