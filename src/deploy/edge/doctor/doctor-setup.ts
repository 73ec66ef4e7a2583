import { CloudFrontClient } from "@aws-sdk/client-cloudfront";
import { CloudFrontKeyValueStoreClient } from "@aws-sdk/client-cloudfront-keyvaluestore";
import { IAMClient } from "@aws-sdk/client-iam";
import { S3Client } from "@aws-sdk/client-s3";
// Registers the signer that the KeyValueStore's client needs.
import "@aws-sdk/signature-v4a";

/** The parts of a live set-up to check; checks of absent parts are skipped. */
export interface DoctorSetup {
  readonly bucket?: string;
  /** Without slashes at its ends; "" for none. */
  readonly prefix: string;
  /** The distribution's id. */
  readonly distribution?: string;
  /** The KeyValueStore's ARN. */
  readonly kvs?: string;
  /** The URL before `/api/v1`. */
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
 * Clients with the SDK's default credentials and endpoints.
 *
 * @param endpoint of S3 only.
 */
export function awsClients(endpoint: string | undefined): AwsClients {
  // These three services are global, and their requests are signed for this region.
  const global = { region: "us-east-1" };
  return {
    s3: new S3Client({
      followRegionRedirects: true,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    }),
    cloudFront: new CloudFrontClient(global),
    keyValues: new CloudFrontKeyValueStoreClient(global),
    iam: new IAMClient(global),
  };
}
