import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** 192 random bits as base64url. */
export function newKey(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * H8: the secret that the page's endpoints require. It is passed to the page in the URL fragment, which
 * browsers never send, so that no log or referrer contains it.
 */
export class AccessKey {
  readonly text: string;

  constructor(text: string = newKey()) {
    this.text = text;
  }

  /** The page's path with the key; opens at the workspace, if one is given. */
  pagePath(workspaceId: string | undefined): string {
    return `/#key=${this.text}${workspaceId === undefined ? "" : `&to=${workspaceId}`}`;
  }

  /** Whether an `Authorization` header contains the key; compares in constant time. */
  isIn(authorization: string | undefined): boolean {
    return isSame(authorization ?? "", `Bearer ${this.text}`);
  }

  /**
   * A ticket for one resource, for requests that cannot have headers: frames and event streams. It
   * reveals nothing about the key.
   */
  ticket(resource: string): string {
    return createHmac("sha256", this.text).update(resource).digest("base64url");
  }

  /** Whether a text is the ticket for a resource; compares in constant time. */
  isTicket(text: string, resource: string): boolean {
    return isSame(text, this.ticket(resource));
  }
}

/** Compares hashes, so that the time does not even reveal the length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
