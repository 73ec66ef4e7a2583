import { printFunction } from "./print-function.ts";

/**
 * The text of the CloudFront Function that gives viewers H2's `Cache-Control`. A release's objects
 * are stored as immutable, so that the edge caches them; a viewer must not, since the URL will
 * serve another release.
 *
 * A response headers policy cannot do this: overriding, it would make previews and the edge
 * function's own responses storable; not overriding, it would leave the object's header. CloudFront
 * does not run this function for responses of 400 and above, so these keep their own header.
 */
export function printResponseFunction(): string {
  return printFunction("./response-function.js");
}
