import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/test-bed.ts";
import { neededProgram } from "./needed-program.ts";

/** A CloudFront event, and the content of the KeyValueStore. */
export interface EdgeEvent {
  readonly request: EdgeFunctionRequest;
  readonly keys: Readonly<Record<string, string>>;
  /** The method of the store that throws. */
  readonly failing?: "exists" | "get";
}

export interface EdgeFunctionRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: Readonly<Record<string, QueryValue>>;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
}

interface QueryValue {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[];
}

/** What the function returned, and the origin that it selected, if any. */
export interface EdgeResult {
  readonly origin: string | null;
  readonly returned: {
    readonly statusCode?: number;
    readonly headers?: Readonly<Record<string, { readonly value: string }>>;
    readonly body?: { readonly encoding: string; readonly data: string };
    readonly uri?: string;
    readonly querystring?: EdgeFunctionRequest["querystring"];
  };
}

/** The module `cloudfront` of the runtime, as its documentation describes it. */
const CLOUDFRONT = `
function guarded(method, answer) {
  return function (key) {
    if (globalThis.failing === method) return Promise.reject(new Error(method + ' failed'));
    return answer(key);
  };
}
const has = function (key) { return Object.keys(globalThis.keys).indexOf(key) >= 0; };
export default {
  kvs: function () {
    return {
      exists: guarded('exists', function (key) { return Promise.resolve(has(key)); }),
      get: guarded('get', function (key) {
        if (!has(key)) return Promise.reject(new Error('no such key'));
        return Promise.resolve(globalThis.keys[key]);
      })
    };
  },
  selectRequestOriginById: function (id) { globalThis.origin = id; }
};
`;

const RUNNER = `
const fs = require('fs');
async function runAll() {
  const events = JSON.parse(fs.readFileSync('events.json', 'utf8'));
  const results = [];
  for (let i = 0; i < events.length; i++) {
    globalThis.keys = events[i].keys;
    globalThis.failing = events[i].failing;
    globalThis.origin = null;
    const returned = await handler({ version: '1.0', request: events[i].request });
    results.push({ origin: globalThis.origin, returned: returned });
  }
  fs.writeFileSync('results.json', JSON.stringify(results));
}
runAll().catch(function (error) { console.log(error.stack); });
`;

/** Runs the text of an edge function in njs, the engine that CloudFront's runtime descends from. */
export function runInNjs(text: string, events: readonly EdgeEvent[]): EdgeResult[] {
  const folder = temporaryFolder();
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write("cloudfront", CLOUDFRONT);
  write("events.json", JSON.stringify(events));
  write("run.js", text + RUNNER);
  const ran = spawnSync("njs", ["-p", folder, "run.js"], { cwd: folder, encoding: "utf8" });
  if (ran.error) throw neededProgram("njs", ran.error);
  if (ran.status !== 0 || ran.stdout !== "") throw new Error(`njs: ${ran.stdout}${ran.stderr}`);
  return JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
}
