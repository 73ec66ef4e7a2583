/** The result of a check; what could not be checked is never "ok". */
export interface CheckResult {
  /** Stable, for scripts. */
  readonly id: string;
  readonly title: string;
  readonly status: "ok" | "failed" | "skipped";
  /** What was found, or why the check was skipped. */
  readonly detail: string;
  /** How to fix it; every failure has one. */
  readonly hint?: string;
}

export type CheckOutcome = Pick<CheckResult, "status" | "detail" | "hint">;

/** Checks one thing of an opened source; errors of AWS clients are thrown as they are. */
export interface Check<Source> {
  readonly id: string;
  readonly title: string;
  readonly run: (source: Source) => CheckOutcome | Promise<CheckOutcome>;
}

/** Checks of one source: the first opens it, and the others need it. */
export interface CheckGroup<Source> {
  readonly id: string;
  readonly title: string;
  /** The argument that names the source, when it was not given. */
  readonly missing: string | undefined;
  readonly open: () => Promise<{ source: Source; outcome: CheckOutcome }>;
  readonly checks: readonly Check<Source>[];
}

export function ok(detail: string): CheckOutcome {
  return { status: "ok", detail };
}

export function failed(detail: string, hint: string): CheckOutcome {
  return { status: "failed", detail, hint };
}

export function skipped(detail: string): CheckOutcome {
  return { status: "skipped", detail };
}

/** Ok when there are no faults. */
export function verdict(faults: readonly string[], good: string, hint: string): CheckOutcome {
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
  let opened: { source: Source; outcome: CheckOutcome };
  try {
    opened = await group.open();
  } catch (error) {
    return [
      result({ id, title }, outcomeOf(error)),
      ...skipAll(`needs ${id}, which cannot be read`),
    ];
  }
  const { source, outcome } = opened;
  const results = [result({ id, title }, outcome)];
  for (const check of checks) {
    results.push(result(check, await runCheck(check, source)));
  }
  return results;
}

async function runCheck<Source>(check: Check<Source>, source: Source): Promise<CheckOutcome> {
  try {
    return await check.run(source);
  } catch (error) {
    return outcomeOf(error);
  }
}

function result({ id, title }: { id: string; title: string }, outcome: CheckOutcome): CheckResult {
  return { id, title, ...outcome };
}

/** The outcome of a check that failed with an error of an AWS client; rethrows other errors. */
function outcomeOf(error: unknown): CheckOutcome {
  if (!(error instanceof Error)) throw error;
  const { name, message } = error;
  const isOfClient =
    "$metadata" in error ||
    // Errors of connections and certificates.
    "code" in error ||
    CREDENTIALS.test(name) ||
    /^Region is missing/.test(message);
  if (!isOfClient) throw error;
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const detail = name === "Error" || message.includes(name) ? message : `${name}: ${message}`;
  if (CREDENTIALS.test(name)) return failed(detail, "set valid AWS credentials");
  // A HEAD has no body to name its error.
  if (/AccessDenied|Forbidden/.test(name) || status === 403)
    return skipped(`not permitted: ${detail}`);
  return failed(detail, "check the name, the region and the endpoint");
}

const CREDENTIALS =
  /^(?:CredentialsProviderError|TokenProviderError|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidClientTokenId|UnrecognizedClientException)/;
