import { bucketPointers } from "../../src/deploy/releases/bucket-pointers.ts";
import { keyValueStoreContract } from "../support/deploy/key-value-store-contract.ts";
import { MemoryKeyValueStore } from "../support/deploy/memory-key-value-store.ts";
import { MemoryBucket } from "../support/deploy/memory-object-store.ts";
import { objectStoreContract } from "../support/deploy/object-store-contract.ts";

// The deploy tests use these stores in place of the real ones.

objectStoreContract("a bucket in memory", async () => {
  const bucket = new MemoryBucket();
  return {
    open: (options) => bucket.open(options),
    put: async (key, text) => bucket.put(key, text),
    denyDelete: async (key) => void bucket.undeletable.add(key),
    checksDeletes: true,
  };
});

keyValueStoreContract("a store in memory", async (values) => {
  const store = new MemoryKeyValueStore(values);
  return { store, write: (key, value) => store.write(key, value) };
});

keyValueStoreContract("L2a: an object of a bucket", async (values) => {
  const bucket = new MemoryBucket();
  const write = (all: object) => bucket.put(".svc-pointers.json", JSON.stringify({ values: all }));
  write(Object.fromEntries(values));
  return {
    store: bucketPointers(bucket.open()),
    write: (key, value) => {
      const { values: before } = JSON.parse(bucket.text(".svc-pointers.json") ?? "");
      write({ ...before, [key]: value });
    },
  };
});
