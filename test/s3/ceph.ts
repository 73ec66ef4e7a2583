import type { TestProject } from "vitest/node";
import { startCeph } from "./ceph-daemons.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the S3 server that the suite has. */
    s3: string;
  }
}

/** One S3 server for the whole suite. */
export default async function setup(project: TestProject) {
  const { endpoint, stop } = await startCeph();
  project.provide("s3", endpoint);
  return stop;
}
