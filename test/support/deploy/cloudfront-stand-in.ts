import { type Credentials, type SignedRequest, wrongV4 } from "./aws-signature.ts";
import { type Answer, CREDENTIALS, type StandIn, startStandIn } from "./aws-stand-in.ts";

/** The id of the only distribution. */
export const DISTRIBUTION = "E1TEST2DIST3";

interface Invalidation {
  readonly id: string;
  readonly reference: string;
  readonly paths: readonly string[];
}

export interface CloudFrontStandIn extends StandIn {
  readonly distribution: string;
  /** The accepted invalidations, in order. */
  readonly invalidations: readonly Invalidation[];
}

const MOST_PATHS = 3_000;

/** CloudFront's CreateInvalidation API with one distribution. */
export async function startCloudFront(
  options: { credentials?: Credentials } = {},
): Promise<CloudFrontStandIn> {
  const { credentials = CREDENTIALS } = options;
  const invalidations: Invalidation[] = [];

  function invalidate({ target, body }: SignedRequest): Answer {
    if (!target.includes(`/distribution/${DISTRIBUTION}/`)) {
      return error(404, "NoSuchDistribution", "The specified distribution does not exist.");
    }
    const xml = body.toString();
    const reference = textsOf(xml, "CallerReference")[0] ?? "";
    const paths = textsOf(xml, "Path");
    if (Number(textsOf(xml, "Quantity")[0]) !== paths.length) {
      return error(400, "InconsistentQuantities", "Quantity");
    }
    if (paths.length > MOST_PATHS) return error(413, "BatchTooLarge", "too many paths");
    if (reference === "" || !paths.every((path) => /^\/[!-~]*$/.test(path))) {
      return error(400, "InvalidArgument", "a path is not one");
    }
    const earlier = invalidations.find((made) => made.reference === reference);
    if (earlier !== undefined && earlier.paths.join("\n") !== paths.join("\n")) {
      return error(400, "InvalidationBatchAlreadyExists", "the reference has other paths");
    }
    const made = earlier ?? { id: `I${invalidations.length + 1}`, reference, paths };
    if (earlier === undefined) invalidations.push(made);
    return { status: 201, headers: XML, body: `<Invalidation><Id>${made.id}</Id></Invalidation>` };
  }

  const standIn = await startStandIn({
    variable: "AWS_ENDPOINT_URL_CLOUDFRONT",
    credentials,
    operation: ({ method, target }) =>
      /^POST \/2020-05-31\/distribution\/[^/]+\/invalidation\/?$/.test(`${method} ${target}`)
        ? "CreateInvalidation"
        : undefined,
    wrong: (request) => wrongV4(request, "cloudfront", credentials),
    carryOut: (_operation, request) => invalidate(request),
    error,
  });
  return Object.assign(standIn, { distribution: DISTRIBUTION, invalidations });
}

const XML = { "Content-Type": "text/xml" };

function textsOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(
    ([, text = ""]) =>
      text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

function error(status: number, name: string, message: string): Answer {
  const body =
    '<ErrorResponse xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/">' +
    `<Error><Type>Sender</Type><Code>${name}</Code><Message>${message}</Message></Error>` +
    "<RequestId>1-2-3</RequestId></ErrorResponse>";
  return { status, headers: XML, body };
}
