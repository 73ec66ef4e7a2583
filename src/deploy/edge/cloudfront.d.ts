/** The `cloudfront` module of CloudFront's JavaScript runtime 2.0, and the events it passes on. */
declare module "cloudfront" {
  export interface QueryValue {
    readonly value: string;
    /** Every value, when the query has the name more than once. */
    readonly multiValue?: readonly { readonly value: string }[];
  }

  export interface ViewerRequest {
    readonly method: string;
    uri: string;
    querystring: Record<string, QueryValue>;
  }

  export type Headers = Record<string, { value: string }>;

  export interface ViewerResponse {
    statusCode: number;
    statusDescription?: string;
    headers: Headers;
    body?: { encoding: "text"; data: string };
  }

  export interface RequestEvent {
    readonly request: ViewerRequest;
  }

  export interface ResponseEvent extends RequestEvent {
    readonly response: ViewerResponse;
  }

  const cf: {
    kvs(): { exists(key: string): Promise<boolean>; get(key: string): Promise<string> };
    selectRequestOriginById(id: string): void;
  };
  export default cf;
}
