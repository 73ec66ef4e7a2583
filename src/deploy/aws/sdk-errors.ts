import { SvcError } from "../../workspace/errors.ts";
import { isRetryable, statusOf } from "./sdk-retry.ts";

/** What a request was about, for the message when it fails. */
export interface Asked {
  /** Who was asked: `the bucket "x"`. */
  readonly who: string;
  /** The IAM action that the request needs. */
  readonly action: string;
  /** The code for: not reached, or failing by itself. */
  readonly unavailable: string;
  /** The code for: refused for a reason that has no code of its own. */
  readonly refused: string;
  /** By the name of the service's error: what it means here. `told` is what the service says. */
  readonly known?: Readonly<Record<string, (told: string) => SvcError>>;
}

const DENIED = /^(?:AccessDenied|AccessDeniedException|Forbidden|UnauthorizedException)$/;

/** Of credentials that are wrong, gone or out of date; or of a clock that is. */
const BAD_CREDENTIALS =
  /^(?:(?:Invalid|Unrecognized)(?:AccessKeyId|Client\w*|Signature\w*|Token\w*)|Expired\w*|Signature\w*|IncompleteSignature\w*|MissingAuthenticationToken\w*|RequestTimeTooSkewed|AuthorizationHeaderMalformed|AuthFailure)$/;

const NO_CREDENTIALS = /^(?:CredentialsProviderError|TokenProviderError|ProviderError)$/;

/**
 * What to throw when a request failed: the signal's reason when it was aborted, else an SvcError
 * that names who was asked. No error of the SDK is passed on, for it holds the request with its
 * authorization.
 */
export function failureOf(error: unknown, asked: Asked, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof SvcError || !(error instanceof Error) || isMistake(error)) return error;
  const { who, action } = asked;
  const known = asked.known?.[error.name];
  if (known !== undefined) return known(toldBy(error));
  if (NO_CREDENTIALS.test(error.name) || /credential object is not valid/.test(error.message)) {
    return new SvcError("credentials-missing", `no credentials for ${who}: ${toldBy(error)}`, {
      hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run with a role",
    });
  }
  if (/^Region is missing/.test(error.message)) {
    return new SvcError("region-missing", `no region is set for ${who}`, {
      hint: "set AWS_REGION, or the region of the profile",
    });
  }
  if (BAD_CREDENTIALS.test(error.name)) {
    return new SvcError("access-denied", `${who} does not accept the credentials: ${error.name}`, {
      hint: "check the access key, its session token and the clock of this machine",
    });
  }
  if (DENIED.test(error.name) || statusOf(error) === 403) {
    return new SvcError("access-denied", `${who} denies ${action}: ${toldBy(error)}`, {
      hint: `allow ${action} to the user or role that deploys`,
    });
  }
  if (isRetryable(error) || codeOf(error) !== undefined) {
    return new SvcError(asked.unavailable, `${who} cannot be reached or fails: ${toldBy(error)}`, {
      hint: "check the address and the network, and run the command again: it goes on from here",
    });
  }
  return new SvcError(asked.refused, `${who} refuses ${action}: ${toldBy(error)}`, {
    hint: "the message is the service's own; nothing was changed by this request",
  });
}

/** Ours: it goes up as it is. */
function isMistake(error: Error): boolean {
  return (error instanceof TypeError || error instanceof RangeError) && !codeOf(error);
}

/** Of an error of the system or of TLS: no connection, or one that broke. */
function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** What an error says in one line, with its code and HTTP status, and no secret. */
function toldBy(error: Error): string {
  const status = statusOf(error);
  const names = [codeOf(error) ?? error.name, ...(status > 0 ? [status] : [])];
  // Such a message holds what the program printed: credentials, perhaps.
  const told = /^Command failed/.test(error.message)
    ? "the credential process failed"
    : firstLine(error.message);
  return `${told} (${names.join(", ")})`.trim();
}

const LONGEST_LINE = 300;

const SECRETS = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID"];

function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return SECRETS.map((name) => process.env[name] ?? "")
    .filter((secret) => secret !== "")
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, "…"), line)
    .slice(0, LONGEST_LINE)
    .trim();
}
