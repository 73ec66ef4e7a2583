import { CloudFrontClient } from "@aws-sdk/client-cloudfront";
import { CloudFrontKeyValueStoreClient } from "@aws-sdk/client-cloudfront-keyvaluestore";
import { IAMClient } from "@aws-sdk/client-iam";
import { S3Client } from "@aws-sdk/client-s3";
// The KeyValueStore's client signs by it.
import "@aws-sdk/signature-v4a";

/** What of a live set-up is looked at; what is left out is skipped. */
export interface DoctorSetup {
  readonly bucket?: string;
  /** Without slashes at its ends; "" for none. */
  readonly prefix: string;
  /** The distribution's id. */
  readonly distribution?: string;
  /** The KeyValueStore's ARN. */
  readonly kvs?: string;
  /** What stands before `/api/v1`. */
  readonly host?: string;
  /** The same by http, which must redirect. */
  readonly plainHost?: string;
  /** A project that is published there. */
  readonly project?: string;
  /** The role's name. */
  readonly role?: string;
}

export interface AwsClients {
  readonly s3: S3Client;
  readonly cloudFront: CloudFrontClient;
  readonly keyValues: CloudFrontKeyValueStoreClient;
  readonly iam: IAMClient;
}

/**
 * Clients with credentials, and endpoints, as the SDK finds them.
 *
 * @param endpoint of S3 only.
 */
export function awsClients(endpoint: string | undefined): AwsClients {
  // These three have one address for all regions, and are signed for this one.
  const everywhere = { region: "us-east-1" };
  return {
    s3: new S3Client({
      followRegionRedirects: true,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    }),
    cloudFront: new CloudFrontClient(everywhere),
    keyValues: new CloudFrontKeyValueStoreClient(everywhere),
    iam: new IAMClient(everywhere),
  };
}
