import { existsSync } from "node:fs";

/** How Chromium is started. */
export function chromiumOptions() {
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
    args: ["--no-sandbox", "--site-per-process", "--enable-features=IsolateSandboxedIframes"],
  };
}
