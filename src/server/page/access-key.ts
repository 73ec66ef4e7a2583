import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * What the page's own endpoints ask for. It is made at each start and given to the page in the
 * fragment of its address, which browsers never send: no log and no referrer has it.
 */
export class AccessKey {
  /** 192 bits of chance, as base64url. */
  readonly text: string = randomBytes(24).toString("base64url");

  /** Where a browser opens the page, below the server's address; at a workspace, if one is named. */
  pagePath(workspaceId: string | undefined): string {
    return `/#key=${this.text}${workspaceId === undefined ? "" : `&to=${workspaceId}`}`;
  }

  /** Whether an `Authorization` header has the key, compared in constant time. */
  isIn(authorization: string | undefined): boolean {
    return isSame(authorization ?? "", `Bearer ${this.text}`);
  }

  /**
   * A ticket that opens one thing only, for what cannot send a header: frames and event streams.
   * Whoever has it learns nothing about the key.
   */
  ticket(thing: string): string {
    return createHmac("sha256", this.text).update(thing).digest("base64url");
  }

  /** Whether a text is the ticket of a thing, compared in constant time. */
  isTicket(text: string, thing: string): boolean {
    return isSame(text, this.ticket(thing));
  }
}

/** Hashes are compared, so that not even the length can be told from the time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
