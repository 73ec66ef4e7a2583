import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { type Overflow, TextHeap } from "../../src/documents/text-heap.ts";
import { withOverflowFile } from "../../src/publish/overflow-file.ts";

/** Texts of many lengths, 140 MB together, one of them longer than a chunk. */
function* texts(): Generator<string> {
  for (let index = 0; index < 70_000; index += 1) {
    yield `${index} ${"é𝐀x".repeat((index * 7919) % 512)}`;
    if (index === 100 || index === 69_000) yield `long ${"ü".repeat(1_500_000)}`;
  }
}

/** Adds all texts, and reads each back into the midst of other bytes. */
function wrong(heap: TextHeap): number {
  const places = [...texts()].map((text) => {
    const size = Buffer.byteLength(text);
    return { place: heap.add(text, size), size };
  });
  const target = Buffer.alloc(4_000_000);
  let count = 0;
  let index = 0;
  for (const text of texts()) {
    const { place, size } = places[index++] as { place: number; size: number };
    target.write("##", 3);
    heap.copy(place, size, target, 5);
    if (target.toString("utf8", 3, size + 5) !== `##${text}`) count += 1;
  }
  return count;
}

it("texts come back as they were added, from memory and from the overflow", () => {
  expect(wrong(new TextHeap())).toBe(0);
  let overflowed = 0;
  const isWrong = withOverflowFile((file) => {
    const counting: Overflow = {
      ...file,
      append(bytes) {
        overflowed += bytes.length;
        file.append(bytes);
      },
    };
    return wrong(new TextHeap(counting));
  });
  expect(isWrong).toBe(0);
  expect(overflowed, "bytes that memory did not hold").toBeGreaterThan(10_000_000);
}, 30_000);

it("security: what overflows has no name in the file system, and nothing is made without need", () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("svc-texts-"));
  withOverflowFile((file) => {
    file.append(Buffer.from("a draft"));
    const read = Buffer.alloc(5);
    file.read(read, 2);
    expect(read.toString()).toBe("draft");
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("svc-texts-"))).toEqual(before);
  });
});
