/** A command as a line of JSON, written to the file descriptor COMMANDS of the host. */
export interface HostedCommand {
  readonly args: readonly string[];
  /** The working directory, absolute. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** File descriptors of the host: it reads commands, and writes the exit status of each as a line. */
export const COMMANDS = 3;
export const ANSWERS = 4;
