import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { host } from "../support/server/hosts.ts";
import { ServerProcess } from "../support/server/server-process.ts";

describe("H16: svc preview <folder> on a port that is in use", () => {
  it("is refused before anything is imported", async () => {
    const { port } = new URL(await host((_request, response) => response.end()));
    const bed = new CliBed();
    const store = bed.path("workspace.db");
    const lines = await ServerProcess.refusal("preview", STARTER, "--store", store, "--port", port);
    expect(lines).toEqual([
      `error: port ${port} of 127.0.0.1 is in use`,
      "hint: stop the other program, or choose another port with --port (0 picks a free one)",
    ]);
    expect(existsSync(store)).toBe(false);
  });
});
