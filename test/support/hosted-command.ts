/** A command as a line of JSON, written to the file descriptor COMMANDS of the host. */
export interface HostedCommand {
  readonly args: readonly string[];
  /** The working directory, absolute. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** File descriptors of the host: it reads commands, and writes a line for each: the exit status, and milliseconds of the processor. */
export const COMMANDS = 3;
export const ANSWERS = 4;
