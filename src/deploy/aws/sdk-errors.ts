import { SvcError } from "../../workspace/errors.ts";
import { isRetryable, statusOf } from "./sdk-retry.ts";

/** Describes a request, for the message when it fails. */
export interface RequestContext {
  /** For messages: `the distribution E123`. */
  readonly service: string;
  /** The IAM action that the request needs. */
  readonly action: string;
  /** The error code when the service is not reachable or fails. */
  readonly unavailable: string;
  /** The error code when the service refuses the request for any other reason. */
  readonly refused: string;
  /** Errors with a meaning of their own, by the name of the service's error. */
  readonly known?: Readonly<Record<string, (message: string) => SvcError>>;
}

const DENIED = /^(?:AccessDenied|AccessDeniedException|Forbidden|UnauthorizedException)$/;

/** Wrong, missing or expired credentials, or a wrong clock. */
const BAD_CREDENTIALS =
  /^(?:(?:Invalid|Unrecognized)(?:AccessKeyId|Client\w*|Signature\w*|Token\w*)|Expired\w*|Signature\w*|IncompleteSignature\w*|MissingAuthenticationToken\w*|RequestTimeTooSkewed|AuthorizationHeaderMalformed|AuthFailure)$/;

const NO_CREDENTIALS = /^(?:CredentialsProviderError|TokenProviderError|ProviderError)$/;

/**
 * Converts an error of the SDK: to the signal's reason when it is aborted, else to an SvcError. The
 * SDK's error is not its cause, since it has the request with its authorization.
 */
export function sdkFailure(error: unknown, context: RequestContext, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof SvcError || !(error instanceof Error) || isProgrammingError(error))
    return error;
  const { service, action } = context;
  const known = context.known?.[error.name];
  if (known !== undefined) return known(describeError(error));
  if (NO_CREDENTIALS.test(error.name) || /credential object is not valid/.test(error.message)) {
    return new SvcError(
      "credentials-missing",
      `no credentials for ${service}: ${describeError(error)}`,
      {
        hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run with a role",
      },
    );
  }
  if (/^Region is missing/.test(error.message)) {
    return new SvcError("region-missing", `no region is set for ${service}`, {
      hint: "set AWS_REGION, or the region of the profile",
    });
  }
  if (BAD_CREDENTIALS.test(error.name)) {
    return new SvcError(
      "access-denied",
      `${service} does not accept the credentials: ${error.name}`,
      {
        hint: "check the access key, its session token and the clock of this machine",
      },
    );
  }
  // The response to HEAD has no body, so the SDK knows no reason.
  if (statusOf(error) === 403 && /^Unknown(?:Error)?$/.test(error.message)) {
    return new SvcError("access-denied", `${service} denies access (403)`, {
      hint: `check the access key, its secret and the clock of this machine, and that its user or role may use ${action}`,
    });
  }
  if (DENIED.test(error.name) || statusOf(error) === 403) {
    return new SvcError("access-denied", `${service} denies ${action}: ${describeError(error)}`, {
      hint: `allow ${action} to the user or role that deploys`,
    });
  }
  if (isRetryable(error) || codeOf(error) !== undefined) {
    return new SvcError(
      context.unavailable,
      `${service} cannot be reached or fails: ${describeError(error)}`,
      {
        hint: "check the address and the network, then run the command again: it continues from here",
      },
    );
  }
  return new SvcError(context.refused, `${service} refuses ${action}: ${describeError(error)}`, {
    hint: "the message is the service's own; nothing was changed by this request",
  });
}

function isProgrammingError(error: Error): boolean {
  return (error instanceof TypeError || error instanceof RangeError) && !codeOf(error);
}

/** The code of a network or TLS error. */
function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** An error's message in one line, with its code and HTTP status, without secrets. */
function describeError(error: Error): string {
  const status = statusOf(error);
  const names = [codeOf(error) ?? error.name, ...(status > 0 ? [status] : [])];
  // This message has the output of the credential process.
  const message = /^Command failed/.test(error.message)
    ? "the credential process failed"
    : firstLine(error.message);
  return `${message} (${names.join(", ")})`.trim();
}

const MAX_LENGTH = 300;

const SECRETS = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID"];

function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return SECRETS.map((name) => process.env[name] ?? "")
    .filter((secret) => secret !== "")
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, "…"), line)
    .slice(0, MAX_LENGTH)
    .trim();
}
