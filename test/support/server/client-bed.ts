import { expect } from "vitest";
import {
  ApiError,
  type Client,
  createClient,
  type RequestOptions,
} from "../../../src/client/client.ts";
import { readFolder } from "../../../src/folder/read-folder.ts";
import { STOREFRONT } from "../cli-bed.ts";
import { TestBed } from "../test-bed.ts";
import { serve } from "./serving.ts";

/** A request of a client, and its response. */
interface Exchange {
  readonly url: string;
  readonly ifNoneMatch: string | null;
  readonly status: number;
  readonly etag: string | null;
}

/** The platform's `fetch`, recording requests and responses. */
class Recorder {
  readonly exchanges: Exchange[] = [];

  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    this.exchanges.push({
      url: String(input),
      ifNoneMatch: new Headers(init?.headers).get("If-None-Match"),
      status: response.status,
      etag: response.headers.get("ETag"),
    });
    return response;
  };

  /** Removes and returns the recorded exchanges, sorted by URL. */
  takeExchanges(): Exchange[] {
    return this.exchanges.splice(0).sort((a, b) => (a.url < b.url ? -1 : 1));
  }
}

/** The experiences of the storefront that have content, by project. (`exp_checkout` has no entry.) */
export const EXPERIENCES = {
  prj_web: ["exp_browse", "exp_sale", "exp_journal", "exp_help"],
  prj_kiosk: ["exp_kiosk_kit", "exp_kiosk_route"],
} as const;

/** Publishes and serves the storefront; returns the API's base URL. */
export async function servedStorefront(): Promise<string> {
  const bed = new TestBed();
  bed.store.import(readFolder(STOREFRONT), new Date());
  bed.publish();
  return apiOf(bed);
}

/** Serves a test bed; returns the API's base URL. */
export async function apiOf(bed: TestBed): Promise<string> {
  return `${(await serve(bed)).url}/api/v1`;
}

/** A client whose requests are recorded. */
export function recorded(baseUrl: string, projectId: string, previewToken?: string) {
  const recorder = new Recorder();
  const token = previewToken === undefined ? {} : { previewToken };
  const client = createClient({ baseUrl, projectId, fetch: recorder.fetch, ...token });
  return { client, recorder };
}

/** The ApiError of a request that must fail. */
export async function errorOf(request: Promise<unknown>): Promise<ApiError> {
  const error = await request.then(
    () => expect.unreachable("the request did not fail"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

/** Calls to the three methods of a client. */
export function requestsOf(client: Client, experienceId: string) {
  return [
    (options?: RequestOptions): Promise<unknown> => client.project(options),
    (options?: RequestOptions): Promise<unknown> => client.schema(options),
    (options?: RequestOptions): Promise<unknown> => client.content(experienceId, options),
  ];
}
