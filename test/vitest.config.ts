import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    maxWorkers: 2,
    include: ["test/**/*.test.ts"],
  },
});
