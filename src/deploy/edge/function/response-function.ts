import { PREVIEW_HEADERS, PUBLISHED_HEADERS } from "../../../http/published-headers.ts";

/**
 * The source of the CloudFront Function that gives viewers H2's `Cache-Control`. A release's
 * objects are stored as immutable, so that the edge keeps them; a viewer must not keep them, since
 * the address will show another release.
 *
 * A response headers policy cannot do this: overriding, it would make previews and the edge
 * function's own answers storable; not overriding, it would leave the object's header. CloudFront
 * does not run this function for answers of 400 and above, so these keep what they came with.
 */
export function edgeResponseFunction(): string {
  return `// What viewers may keep: H2 of the published documents; a preview is never kept.
function handler(event) {
  const response = event.response;
  const given = response.headers["cache-control"];
  const isPreview = "preview_token" in event.request.querystring;
  if (isPreview || (given && /no-store/i.test(given.value))) {
    response.headers["cache-control"] = { value: "${PREVIEW_HEADERS["Cache-Control"]}" };
  } else if (response.statusCode < 400) {
    response.headers["cache-control"] = {
      value: "${PUBLISHED_HEADERS["Cache-Control"]}",
    };
  }
  return response;
}
`;
}
