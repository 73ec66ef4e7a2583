import { it } from "vitest";
import { KILLS, killManyTimes } from "./many-kills.ts";

it(`F5: killed several times in a row, svc leaves old or new files: ${KILLS} kills`, () =>
  killManyTimes(0.6));
