/**
 * The parts of the edge function, in the JavaScript that CloudFront's runtime 2.0 takes: ES 5.1
 * with const, let, async functions and few other additions; no destructuring, no for-of, no
 * URLSearchParams. The upper-case names are printed above it by `edge-function.ts`.
 */

/** With a KeyValueStore: a project is served from the release that its pointer names. */
export const RELEASE_HANDLER = `async function handler(event) {
  const request = event.request;
  try {
    const asked = read(request);
    if (asked.response) return asked.response;
    if (asked.asset) return fetchFrom(request, asked.asset);
    if (asked.tokens.length > 0) {
      const valid = await isValid(asked.tokens, asked.projectId);
      if (!valid) return problem(request, 'preview-token-invalid', PREVIEW);
      cf.selectRequestOriginById(PREVIEW_ORIGIN);
      return request;
    }
    const key = POINTER + asked.projectId;
    const known = await kvs.exists(key);
    if (!known) return problem(request, NOT_PUBLISHED[asked.kind]);
    const release = await kvs.get(key);
    if (!RELEASE.test(release)) return problem(request, 'service-unavailable', RETRY);
    // Rewritten before the cache is asked: each release has cached answers of its own.
    return fetchFrom(request, RELEASES + release + asked.path + ENDINGS[asked.kind]);
  } catch (error) {
    // Never passed on: the bucket would answer for what is not live, or ignore a preview_token.
    return problem(request, 'service-unavailable', RETRY);
  }
}

async function isValid(tokens, projectId) {
  if (tokens.length !== 1 || !tokens[0]) return false;
  const sha256 = crypto.createHash('sha256').update(tokens[0]).digest('hex');
  const key = TOKEN + sha256 + ':' + projectId;
  const known = await kvs.exists(key);
  if (!known) return false;
  const expires = await kvs.get(key);
  return expires === 'never' || (TIME.test(expires) && Number(expires) > Date.now());
}
`;

/** Without a KeyValueStore: the bucket's keys are the addresses, and there is no preview. */
export const IN_PLACE_HANDLER = `function handler(event) {
  const request = event.request;
  try {
    const asked = read(request);
    if (asked.response) return asked.response;
    if (asked.asset) return fetchFrom(request, asked.asset);
    // The bucket ignores the query: it would answer with published content.
    if (asked.tokens.length > 0) return problem(request, 'preview-token-invalid', PREVIEW);
    return fetchFrom(request, asked.path);
  } catch (error) {
    return problem(request, 'service-unavailable', RETRY);
  }
}
`;

/** What a request is for; the checks stand in the server's order. */
export const REQUESTS = String.raw`function read(request) {
  if (request.method === 'OPTIONS') {
    return { response: answer(204, 'No Content', PREFLIGHT) };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { response: problem(request, 'method-not-allowed', ALLOW) };
  }
  let parts;
  try {
    // Taken apart before it is decoded: an encoded slash makes no new part.
    parts = request.uri.split('/').map(function (part) { return decodeURIComponent(part); });
  } catch (error) {
    return { response: problem(request, 'bad-request') };
  }
  const asset = assetOf(parts);
  if (asset) return { asset: asset };
  const kind = kindOf(parts);
  if (!kind) return { response: problem(request, 'not-found') };
  return {
    kind: kind,
    projectId: parts[ROOT.length],
    path: parts.join('/'),
    tokens: tokensOf(request.querystring)
  };
}

function kindOf(parts) {
  const rest = parts.slice(ROOT.length);
  if (parts.slice(0, ROOT.length).join('\n') !== ROOT.join('\n')) return undefined;
  if (rest.length === 0 || !ID.test(rest[0])) return undefined;
  if (rest.length === 1) return 'project';
  if (rest.length === 2 && rest[1] === 'schema') return 'schema';
  if (rest.length !== 4 || rest[1] !== 'experiences' || rest[3] !== 'content') return undefined;
  return ID.test(rest[2]) ? 'content' : undefined;
}

function assetOf(parts) {
  if (parts.length !== 4 || parts[0] !== '' || parts[1] !== 'assets') return undefined;
  if (!HASH.test(parts[2]) || /[/\\\0]/.test(parts[3])) return undefined;
  if (parts[3] === '' || parts[3] === '.' || parts[3] === '..') return undefined;
  // Encoded in one way: one cached answer for all spellings, and S3 takes a bare + for a space.
  return parts.map(function (part) { return encodeURIComponent(part); }).join('/');
}

// Every value of preview_token. CloudFront hands names and values over as they were sent.
function tokensOf(query) {
  const tokens = [];
  Object.keys(query).forEach(function (name) {
    if (decoded(name) !== 'preview_token') return;
    (query[name].multiValue || [query[name]]).forEach(function (one) {
      tokens.push(decoded(one.value));
    });
  });
  return tokens;
}

function decoded(text) {
  try {
    return text.replace(/\+/g, ' ').replace(/(%[0-9A-Fa-f]{2})+/g, function (bytes) {
      return decodeURIComponent(bytes);
    });
  } catch (error) {
    return '';
  }
}
`;

/** The ends of a request. */
export const ANSWERS = `// No query goes further: it would split the cache, and nothing behind reads it.
function fetchFrom(request, uri) {
  request.uri = uri;
  request.querystring = {};
  return request;
}

function problem(request, code, more) {
  const told = PROBLEMS[code];
  const response = answer(told[0], told[1], Object.assign({}, PROBLEM, more));
  if (request.method !== 'HEAD') response.body = { encoding: 'text', data: told[2] };
  return response;
}

function answer(status, title, headers) {
  return {
    statusCode: status,
    statusDescription: title,
    headers: Object.assign({}, COMMON, headers)
  };
}
`;
