/** What a check says; what could not be looked at is never "ok". */
export interface CheckResult {
  /** Stable, for scripts. */
  readonly id: string;
  readonly title: string;
  readonly status: "ok" | "failed" | "skipped";
  /** What was found, or why nothing was looked at. */
  readonly detail: string;
  /** What to do; with every failure. */
  readonly hint?: string;
}

export type Finding = Pick<CheckResult, "status" | "detail" | "hint">;

/** Looks at one thing of an opened source. What AWS refuses is thrown, as its client throws it. */
export interface Check<Source> {
  readonly id: string;
  readonly title: string;
  readonly run: (source: Source) => Finding | Promise<Finding>;
}

/** Checks of one source: the first tells whether it can be opened, and the others need it. */
export interface CheckGroup<Source> {
  readonly id: string;
  readonly title: string;
  /** What names the source on the command line, when it was left out. */
  readonly missing: string | undefined;
  readonly open: () => Promise<{ source: Source; finding: Finding }>;
  readonly checks: readonly Check<Source>[];
}

export function ok(detail: string): Finding {
  return { status: "ok", detail };
}

export function failed(detail: string, hint: string): Finding {
  return { status: "failed", detail, hint };
}

export function skipped(detail: string): Finding {
  return { status: "skipped", detail };
}

/** The finding of a list of faults: ok when there is none. */
export function verdict(faults: readonly string[], good: string, hint: string): Finding {
  return faults.length === 0 ? ok(good) : failed(faults.join("; "), hint);
}

/** Runs the checks of a group, one result each, in their order. */
export async function runGroup<Source>(group: CheckGroup<Source>): Promise<CheckResult[]> {
  const { id, title, missing, checks } = group;
  const skipAll = (reason: string) => checks.map((check) => result(check, skipped(reason)));
  if (missing !== undefined) {
    const reason = `${missing} is not given`;
    return [result({ id, title }, skipped(reason)), ...skipAll(reason)];
  }
  let opened: { source: Source; finding: Finding };
  try {
    opened = await group.open();
  } catch (error) {
    return [result({ id, title }, refusal(error)), ...skipAll(`needs ${id}, which cannot be read`)];
  }
  const { source, finding } = opened;
  const results = [result({ id, title }, finding)];
  for (const check of checks) {
    results.push(result(check, await findingOf(check, source)));
  }
  return results;
}

async function findingOf<Source>(check: Check<Source>, source: Source): Promise<Finding> {
  try {
    return await check.run(source);
  } catch (error) {
    return refusal(error);
  }
}

function result({ id, title }: { id: string; title: string }, finding: Finding): CheckResult {
  return { id, title, ...finding };
}

/** What an error of an AWS client says of a check; any other error is thrown on. */
function refusal(error: unknown): Finding {
  if (!(error instanceof Error)) throw error;
  const { name, message } = error;
  const isOfClient =
    "$metadata" in error ||
    // No connection, or none that is trusted.
    "code" in error ||
    CREDENTIALS.test(name) ||
    /^Region is missing/.test(message);
  if (!isOfClient) throw error;
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const told = name === "Error" || message.includes(name) ? message : `${name}: ${message}`;
  if (CREDENTIALS.test(name)) return failed(told, "set credentials that AWS knows");
  // A HEAD has no body to name its error.
  if (/AccessDenied|Forbidden/.test(name) || status === 403)
    return skipped(`not permitted: ${told}`);
  return failed(told, "check the name, the region and the endpoint");
}

const CREDENTIALS =
  /^(?:CredentialsProviderError|TokenProviderError|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidClientTokenId|UnrecognizedClientException)/;
