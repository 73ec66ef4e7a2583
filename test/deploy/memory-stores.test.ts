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
  };
});

keyValueStoreContract("a store in memory", async (values) => {
  const store = new MemoryKeyValueStore(values);
  return { store, write: (key, value) => store.write(key, value) };
});
