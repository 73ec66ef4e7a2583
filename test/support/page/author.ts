import type { Locator, Page } from "playwright-core";

/**
 * Someone who works in the page. A click is counted, and a key that does what a button would; what is typed
 * is not, nor is Tab, which goes to what is filled in next.
 */
export class Author {
  clicks = 0;
  /** How often something was written. */
  savings = 0;

  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.on("request", (request) => {
      if (/\/do\/edit(?:-add|-publishing)?\?/.test(request.url())) this.savings += 1;
    });
    // From now on choosers are events.
    page.on("filechooser", () => undefined);
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  /** Opens a list of the browser, and takes what has the label. */
  async select(list: Locator, label: string): Promise<void> {
    this.clicks += 2;
    await list.selectOption({ label });
  }

  /** Opens the window in which files are chosen, and takes one there. */
  async upload(button: Locator, name: string, bytes: Buffer): Promise<void> {
    this.clicks += 1;
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      this.click(button),
    ]);
    await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
  }

  /** By Tab, where the page does not do it. */
  async goTo(input: Locator): Promise<void> {
    const isThere = () => input.evaluate((one) => one === document.activeElement);
    for (let left = 300; left > 0 && !(await isThere()); left -= 1) {
      await this.page.keyboard.press("Tab");
    }
    if (!(await isThere())) throw new Error("Tab does not lead there");
  }
}
