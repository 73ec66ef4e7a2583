import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of the two surfaces over HTTP and the preview page: rules H. */
export const SERVER: readonly Mutant[] = [
  ...mutantsOf(
    "src/server/api-handler.ts",
    ["test/server/addresses.test.ts", "test/server/preview-token.test.ts"],
    [
      "H1: OPTIONS answers 200",
      "return respond(response, 204, PREFLIGHT_HEADERS);",
      "return respond(response, 200, PREFLIGHT_HEADERS);",
    ],
    [
      "H1: a 405 has no Allow",
      'respondProblem(response, "method-not-allowed", { Allow: ALLOWED_METHODS })',
      'respondProblem(response, "method-not-allowed", {})',
    ],
    [
      "H3: a server without previews serves published content for a token",
      'respondProblem(response, "preview-token-invalid", PREVIEW_HEADERS);\n    } else {',
      "await published.serve(filePath(address), request, response, PUBLISHED_HEADERS);\n    } else {",
    ],
  ),
  ...mutantsOf(
    "src/http/published-headers.ts",
    ["test/server/server.test.ts", "test/server/caching.test.ts", "test/server/preview.test.ts"],
    ["H1: responses have no CORS", '  "Access-Control-Allow-Origin": "*",\n', ""],
    ["H2: documents are cached for a minute", "max-age=30,", "max-age=60,"],
    [
      "H2: previews may be cached",
      '  "Cache-Control": "no-store",\n  "Referrer-Policy"',
      '  "Referrer-Policy"',
    ],
    ["H2: previews may be indexed", '  "X-Robots-Tag": "noindex",\n', ""],
  ),
  ...mutantsOf(
    "src/server/published-files.ts",
    "test/server/caching.test.ts",
    ["H2: weak tags do not match", 'tag.replace(/^W\\//, "") === etag', "tag === etag"],
    [
      "H2: a star does not match",
      'if (ifNoneMatch.trim() === "*") return true;',
      'if (ifNoneMatch.trim() === "*") return false;',
    ],
    [
      "H2: only the first tag of a list matches",
      "return tags.some((tag)",
      "return tags.slice(0, 1).some((tag)",
    ],
  ),
  ...mutantsOf(
    "src/server/published-files.ts",
    [
      "test/server/caching.test.ts",
      "test/server/ranges.test.ts",
      "test/server/path-traversal.test.ts",
    ],
    [
      "H2: the tag of a replaced file stays",
      "if (known?.state === state) return known.etag;",
      "if (known !== undefined) return known.etag;",
    ],
    [
      "H7: no Range is ever honoured",
      "isSatisfiableRange(request, stats.size, etag) ? { range } : {};",
      "{};",
    ],
    [
      "H1: links lead out of the folder",
      "if ((await realpath(real)) !== real) return undefined;",
      "",
    ],
  ),
  ...mutantsOf(
    "src/server/published-files.ts",
    "test/server/ranges.test.ts",
    [
      "H7: a range may start at the file's end",
      "return Number(start) < size &&",
      "return Number(start) <= size &&",
    ],
    [
      "H7: a range of other bytes is honoured",
      'headers["if-range"] !== etag) return false;',
      'headers["if-range"] === "") return false;',
    ],
    [
      "H7: a suffix of no bytes is honoured",
      "return Number(end) > 0 && Number(end) <= size;",
      "return Number(end) <= size;",
    ],
    [
      "H7: a range may end before it starts",
      '(end === "" || Number(start) <= Number(end))',
      "true",
    ],
  ),
  ...mutantsOf(
    "src/http/problem-document.ts",
    "test/http/problem-documents.test.ts",
    [
      "H4: a missing schema does not say to publish",
      '"No published schema exists. Publish the workspace first."',
      '"No published schema exists."',
    ],
    [
      "H4: a missing project has another code",
      'project: "project-not-found",',
      'project: "not-found",',
    ],
  ),
  ...mutantsOf(
    "src/server/preview.ts",
    [
      "test/server/preview-token.test.ts",
      "test/server/preview-token-valid.test.ts",
      "test/server/preview.test.ts",
      "test/server/preview-cache.test.ts",
    ],
    [
      "H3: of two tokens the first counts",
      'if (!token || others.length > 0) return "unauthorized";',
      'if (!token) return "unauthorized";',
    ],
    [
      "H3: a cached document needs no valid token",
      "if (cached?.tokens.isValid(token, now)) return cached.document;",
      "if (cached !== undefined) return cached.document;",
    ],
    [
      "H3: an unknown project is a 404",
      'if (workspace === undefined || !isValid) return "unauthorized";',
      'if (workspace === undefined) return "not-found";\n      if (!isValid) return "unauthorized";',
    ],
    ["H5: documents stay cached after a change", "if (mark !== this.#mark) this.#clear();", ""],
    [
      "H5: problems are not counted",
      '"X-Svc-Problems": result.problemCount',
      '"X-Svc-Problems": 0',
    ],
  ),
  ...mutantsOf(
    "src/server/allowed-hosts.ts",
    "test/server/allowed-hosts.test.ts",
    [
      "H6: every host is allowed",
      'else respondProblem(response, "host-not-allowed");',
      "else handler(request, response);",
    ],
    [
      "H6: hosts that end in localhost are allowed",
      'name.endsWith(".localhost")',
      'name.endsWith("localhost")',
    ],
    ["H6: the port counts", 'host.replace(/:\\d*$/, "")', "host"],
  ),
  ...mutantsOf(
    "src/server/page/access-key.ts",
    "test/server/page.test.ts",
    ["H8: the access key has 64 bits", "randomBytes(24)", "randomBytes(8)"],
    [
      "H8: a ticket is valid for everything",
      '.update(resource).digest("base64url")',
      '.update("").digest("base64url")',
    ],
  ),
  ...mutantsOf(
    "src/server/page/page-handler.ts",
    ["test/server/page.test.ts", "test/server/live-events.test.ts"],
    [
      "H8: the page's data needs no key",
      'if (!key.isIn(authorization)) return "access-key-invalid";',
      "",
    ],
    [
      "H8: events need no ticket",
      'if (isForEvents && key.isTicket(url.searchParams.get("ticket") ?? "", "events")) {',
      "if (isForEvents) {",
    ],
  ),
  ...mutantsOf(
    "src/server/page/page-headers.ts",
    "test/server/page.test.ts",
    [
      "H9: an html asset has an origin and scripts",
      "\"sandbox; default-src 'none'; style-src",
      "\"sandbox allow-scripts allow-same-origin; default-src 'none'; style-src",
    ],
    ["H9: the page runs scripts of other hosts", "\"script-src 'self'\"", '"script-src *"'],
  ),
  ...mutantsOf("src/server/page/page-handler.ts", "test/server/page.test.ts", [
    "H9: html assets connect to other hosts",
    'return html.replaceAll(/<link(?=[\\s/>])/gi, "<removed-link");',
    "return html;",
  ]),
  ...mutantsOf(
    "src/server/live-drafts.ts",
    "test/server/live-drafts.test.ts",
    [
      "H5: a store that fails is polled without a pause",
      "this.#retryAt = Date.now() + RETRY_DELAY;",
      "this.#retryAt = 0;",
    ],
    [
      "H10: a failure is reported at every poll",
      "if (failure.message !== this.#failure) this.#onFailure(failure);",
      "this.#onFailure(failure);",
    ],
  ),
  ...mutantsOf(
    "src/follow/followed-folder.ts",
    "test/follow/followed-folder.test.ts",
    [
      "H10: faults of the folder are not kept",
      "this.faults = faultsOf(failure, this.#isStored);",
      "this.faults = [];",
    ],
    ["H19: a store that is not there has a fault", "isStored && /^(?:store-", "/^(?:store-"],
    [
      "H10: a folder with faults at the start is refused",
      'first.failure.code !== "folder-invalid"',
      'first.failure.code !== ""',
    ],
  ),
  ...mutantsOf("src/server/listen.ts", "test/server/limits.test.ts", [
    "H11: connections are not limited",
    "  server.maxConnections = limits.connections;\n",
    "",
  ]),
  ...mutantsOf("src/server/live-events.ts", "test/server/limits.test.ts", [
    "H11: one more event stream than the limit",
    "if (open >= MAX_EVENT_STREAMS) {",
    "if (open > MAX_EVENT_STREAMS) {",
  ]),
  ...mutantsOf(
    "src/cli/threads/draft-thread.ts",
    "test/server/page-beside.test.ts",
    [
      "H12: a stop waits for queries",
      "for (const { reject } of this.#jobs.splice(0)) reject(stopped());",
      "",
    ],
    [
      "H12: what a user can fix is reported as a bug of svc",
      "reject(errorFrom(reply.failure))",
      "reject(new Error(reply.failure.message))",
    ],
    ["H12: a query whose client is gone runs on", "        void this.#terminate();\n", ""],
  ),
  ...mutantsOf("src/server/page/page-data.ts", "test/server/page.test.ts", [
    "H15: a reload gets another token",
    "this.#minted.set(number, minted);",
    "",
  ]),
  ...mutantsOf("src/cli/preview/run-preview.ts", "test/server/preview-port.test.ts", [
    "H16: the port is tried after the import",
    "  await assertCanListen(options);\n  const { store",
    "  const { store",
  ]),
  ...mutantsOf(
    "src/cli/preview/draft-reports.ts",
    "test/cli/dev.test.ts",
    [
      "H19: problems are printed after each import",
      "answer === undefined || answer === this.#printed",
      "answer === undefined",
    ],
    ["H19: types are written after each import", "    if (hasText(file, text)) return;\n", ""],
    [
      "H19: a failure is reported after each import",
      "if (isStopping || this.#failures.get(what) === message) return;",
      "if (isStopping) return;",
    ],
    [
      "H19: nothing says that a failure is over",
      "    if (this.#hasFailed) this.#printed = undefined;\n",
      "",
    ],
  ),
  ...mutantsOf("src/cli/preview/draft-reports.ts", "test/cli/dev.test.ts", [
    "N3: svc dev prints warnings as they are",
    "withSeverities(found.problems, this.#severities)",
    "withSeverities(found.problems)",
  ]),
  ...mutantsOf(
    "src/cli/temporary-folder.ts",
    "test/cli/dev.test.ts",
    [
      "H19: the store of svc dev is left after SIGHUP",
      "  for (const signal of SIGNALS) process.on(signal, exit);\n",
      "",
    ],
    [
      "H19: the store of svc dev is left",
      '    process.off("exit", remove);\n    remove();\n',
      '    process.off("exit", remove);\n',
    ],
  ),
  ...mutantsOf(
    "src/cli/commands/dev.ts",
    "test/cli/dev.test.ts",
    ["H19: the browser is opened unasked", "          if (!options.open) return;\n", ""],
    [
      "H19: a store that is named is not used",
      "namesStore ? previewStore : previewFolder",
      "namesStore ? previewFolder : previewFolder",
    ],
  ),
  ...mutantsOf("src/server/page/changes.ts", "test/server/page.test.ts", [
    "H17: entries that no experience shows are not counted",
    "unreached: listed(unreached),",
    "unreached: listed([]),",
  ]),
  ...mutantsOf(
    "src/cli/stop-signal.ts",
    "test/server/background-job.test.ts",
    [
      "H18: a server below npm outlives the process that started it",
      "process.ppid !== parent && stop()",
      "process.ppid === 0 && stop()",
    ],
    [
      "H18: every server ends with its shell",
      "process.env.npm_lifecycle_event !== undefined",
      "true",
    ],
  ),
];
