import { bundle } from "../../scripts/bundle.ts";

/** Before the first test: the program that tests of the command line run is built. */
export const setup = bundle;
