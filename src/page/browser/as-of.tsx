import { moment } from "./words.ts";

/** Of this tab, as long as it is open. */
const ITEM = "svc as of";

/** H56: the reading of the clock that the page goes by, RFC 3339; empty: now. */
export const asOf = (): string => sessionStorage.getItem(ITEM) ?? "";

/** @param time RFC 3339; empty: now */
export function showAsOf(time: string): void {
  sessionStorage.setItem(ITEM, time);
  // All that is shown depends on it.
  location.reload();
}

/** Above every view that is not as of now. */
export function AsOfBar() {
  const time = asOf();
  if (time === "") return null;
  return (
    <section class="as-of" aria-label="The time that this page goes by">
      <p>
        <strong>As of {moment(time)}</strong>: what the draft shows and changes then. Publishing and
        your own site go by now.
      </p>
      <button type="button" onClick={() => showAsOf("")}>
        Back to now
      </button>
    </section>
  );
}
