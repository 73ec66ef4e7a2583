import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { temporaryFolder } from "../test-bed.ts";

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

/** Runs the text of an edge function for each event, as CloudFront does. */
export type EdgeEngine = (text: string, events: readonly EdgeEvent[]) => Promise<EdgeResult[]>;

/** The module `cloudfront` of the runtime, as its documentation describes it, and a run of all events. */
const RUNTIME = `
function guarded(state, method, answer) {
  return function (key) {
    if (state.failing === method) return Promise.reject(new Error(method + ' failed'));
    return answer(key);
  };
}
const state = {};
const has = function (key) { return Object.keys(state.keys).indexOf(key) >= 0; };
const cf = {
  kvs: function () {
    return {
      exists: guarded(state, 'exists', function (key) { return Promise.resolve(has(key)); }),
      get: guarded(state, 'get', function (key) {
        if (!has(key)) return Promise.reject(new Error('no such key'));
        return Promise.resolve(state.keys[key]);
      })
    };
  },
  selectRequestOriginById: function (id) { state.origin = id; }
};
async function runAll(events, handler) {
  const results = [];
  for (let i = 0; i < events.length; i++) {
    state.keys = events[i].keys;
    state.failing = events[i].failing;
    state.origin = null;
    const returned = await handler({ version: '1.0', request: events[i].request });
    results.push({ origin: state.origin, returned: returned });
  }
  return JSON.stringify(results);
}
`;

const scriptOf = (text: string) => RUNTIME + text.replace(/^import cf .*$/m, "");

/** In Node: quick, and without a program that must be installed. */
export const runInNode: EdgeEngine = async (text, events) => {
  const require = createRequire(import.meta.url);
  const script = `${scriptOf(text)}runAll(JSON.parse(events), handler)`;
  return JSON.parse(await runInNewContext(script, { require, events: JSON.stringify(events) }));
};

/** In njs, the engine that CloudFront's runtime descends from. */
export const runInNjs: EdgeEngine = async (text, events) => {
  const end = `
    const fs = require('fs');
    runAll(JSON.parse(fs.readFileSync('events.json', 'utf8')), handler)
      .then(function (results) { fs.writeFileSync('results.json', results); })
      .catch(function (error) { console.log(error.stack); });`;
  return njsResults(scriptOf(text) + end, events);
};

/**
 * The events of which no run in njs takes less than this time, in milliseconds: a machine that others
 * keep busy interrupts some of the 200 runs, and not all.
 */
export function slowInNjs(text: string, events: readonly EdgeEvent[], limit: number): EdgeEvent[] {
  const end = `
    const fs = require('fs');
    async function measured(events) {
      const slow = [];
      for (let i = 0; i < events.length; i++) {
        state.keys = events[i].keys;
        let best = Infinity;
        for (let run = 0; run < 200 && best >= ${limit}; run++) {
          const start = Date.now();
          await handler({ version: '1.0', request: Object.assign({}, events[i].request) });
          best = Math.min(best, Date.now() - start);
        }
        slow.push(best >= ${limit});
      }
      return JSON.stringify(slow);
    }
    measured(JSON.parse(fs.readFileSync('events.json', 'utf8')))
      .then(function (results) { fs.writeFileSync('results.json', results); })
      .catch(function (error) { console.log(error.stack); });`;
  const slow: boolean[] = njsResults(scriptOf(text) + end, events);
  return events.filter((_, at) => slow[at]);
}

function njsResults<T>(script: string, events: readonly EdgeEvent[]): T[] {
  const folder = temporaryFolder();
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write("events.json", JSON.stringify(events));
  write("run.js", script);
  const ran = spawnSync("njs", ["run.js"], { cwd: folder, encoding: "utf8" });
  if (ran.error) throw neededProgram("njs", ran.error);
  if (ran.status !== 0 || ran.stdout !== "") throw new Error(`njs: ${ran.stdout}${ran.stderr}`);
  return JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
}

/** The error when a test cannot start a program. */
export function neededProgram(name: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return error;
  return new Error(`this test needs the program ${name}: apt-get install ${name}`);
}
