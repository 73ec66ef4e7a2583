import { grouped } from "./counted.ts";

/** The shortest time between two redraws, in milliseconds. */
const REDRAW = 80;
/** The width of the bar, in characters. */
const WIDTH = 24;

/** A progress bar on one line of stderr, redrawn in place. */
export class ProgressLine {
  #drawnAt = 0;
  #drawn = false;

  show(done: number, total: number, what: string): void {
    const now = Date.now();
    if (done < total && now - this.#drawnAt < REDRAW) return;
    // Work that is done before the first redraw shows no bar.
    if (done >= total && !this.#drawn) return;
    this.#drawnAt = now;
    this.#drawn = true;
    const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
    const bar = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`;
    process.stderr.write(`\r\u001b[K${bar} ${grouped(done)}/${grouped(total)} ${what}`);
    if (done >= total) this.clear();
  }

  clear(): void {
    if (this.#drawn) process.stderr.write("\r\u001b[K");
    this.#drawn = false;
  }
}
