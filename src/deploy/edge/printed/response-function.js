import { NO_STORE, PUBLISHED } from "../constants.ts";

/** @param {import("cloudfront").ResponseEvent} event */
export function handler(event) {
  const response = event.response;
  const given = response.headers["cache-control"];
  const isPreview = "preview_token" in event.request.querystring;
  if (isPreview || (given && /no-store/i.test(given.value))) {
    response.headers["cache-control"] = NO_STORE;
  } else if (response.statusCode < 400) {
    response.headers["cache-control"] = PUBLISHED;
  }
  return response;
}
