import { it } from "vitest";
import { KILLS, killManyTimes } from "./many-kills.ts";

it(`F5: killed again and again before anything is completed, svc leaves the same: ${KILLS} kills`, () =>
  killManyTimes(0.6));
