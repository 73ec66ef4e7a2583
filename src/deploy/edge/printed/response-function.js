import { NO_STORE, PREVIEW, PUBLISHED } from "../constants.ts";

/** @param {import("cloudfront").ResponseEvent} event */
export function handler(event) {
  const response = event.response;
  const given = response.headers["cache-control"];
  if ("preview_token" in event.request.querystring) {
    Object.assign(response.headers, PREVIEW);
  } else if (given && /no-store/i.test(given.value)) {
    response.headers["cache-control"] = NO_STORE;
  } else if (response.statusCode < 400) {
    response.headers["cache-control"] = PUBLISHED;
  }
  return response;
}
