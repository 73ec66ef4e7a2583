import { existsSync } from "node:fs";

export interface ChromiumOptions {
  readonly hasFrames?: boolean;
  readonly hasScrollbars?: boolean;
}

/**
 * How Chromium is started.
 *
 * @param hasFrames whether pages have frames of other sites: processes of their own for these, as in
 *   Chromium with a window, cost a tenth of the time of all tests
 * @param hasScrollbars whether bars for scrolling take room, as in a window
 */
export function chromiumOptions({
  hasFrames = false,
  hasScrollbars = false,
}: ChromiumOptions = {}) {
  const isolation = ["--site-per-process", "--enable-features=IsolateSandboxedIframes"];
  const candidates = [
    process.env.CHROMIUM,
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
  ];
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      "these tests need Chromium: apt-get install chromium-headless-shell, or set CHROMIUM to its path",
    );
  }
  return {
    executablePath,
    args: ["--no-sandbox", ...(hasFrames ? isolation : [])],
    ignoreDefaultArgs: hasScrollbars ? ["--hide-scrollbars"] : [],
  };
}
