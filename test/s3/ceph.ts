import type { TestProject } from "vitest/node";
import { startCeph } from "./ceph-daemons.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The endpoint of the suite's S3 server. */
    s3: string;
  }
}

/** One S3 server for the suite. */
export default async function setup(project: TestProject) {
  const { endpoint, stop } = await startCeph();
  project.provide("s3", endpoint);
  return stop;
}
