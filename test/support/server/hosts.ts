import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { verifyUrl } from "../../../src/publish/verify-url.ts";
import { apiHandler } from "../../../src/server/api-handler.ts";
import { PublishedFiles } from "../../../src/server/published-files.ts";
import { HOME, INDEX, NEWS, SCHEMA } from "../publish/published-pages-bed.ts";
import type { TestBed } from "../test-bed.ts";
import { freePort } from "./free-port.ts";
import { listening } from "./listening.ts";

/** The URL paths of the documents of `publishedPagesBed`, by file. */
export const SERVED_AT: Readonly<Record<string, string>> = {
  [INDEX]: "/api/v1/projects/site",
  [SCHEMA]: "/api/v1/projects/site/schema",
  [HOME]: "/api/v1/projects/site/experiences/home/content",
  [NEWS]: "/api/v1/projects/site/experiences/news/content",
};

/** Listens on a free port until the test ends; returns the origin. */
export const host = (listener: RequestListener) => listening(createServer(listener));

/** A response in place of the published document. */
export type Misbehaviour = (response: ServerResponse) => void;

/** Serves a test bed as `svc serve` does, except for the files with a misbehaviour; returns the base URL. */
export async function hostOf(
  bed: TestBed,
  misbehaviours: Readonly<Record<string, Misbehaviour>> = {},
): Promise<string> {
  const serve = apiHandler(new PublishedFiles(bed.out), undefined, () => {});
  const url = await host((request, response) => {
    const file = Object.keys(misbehaviours).find((path) => SERVED_AT[path] === request.url);
    const misbehave = file === undefined ? undefined : misbehaviours[file];
    if (misbehave === undefined) serve(request, response);
    else misbehave(response);
  });
  return `${url}/api/v1`;
}

/** A base URL where no server listens any more. */
export const deadUrl = async () => `http://127.0.0.1:${await freePort()}/api/v1`;

export function verifyAt(bed: TestBed, url: string) {
  return verifyUrl(bed.out, url, () => {});
}

/** Responds with a status and a text. */
export function answer(status: number, text = "", headers: Record<string, string> = {}) {
  return (response: ServerResponse) => void response.writeHead(status, headers).end(text);
}

/** Sends headers and part of the body, then resets the connection. */
export function breakOff(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "5000" });
  response.write('{"blocks":', () => response.socket?.resetAndDestroy());
}
