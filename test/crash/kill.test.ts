import { it } from "vitest";
import { KILLS, killManyTimes } from "./many-kills.ts";

it(`F5: killed at any moment, svc leaves old or new files, verify reports it, the next command completes it: ${KILLS} kills`, () =>
  killManyTimes(0));
