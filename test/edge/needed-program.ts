/** The error when a test cannot start a program. */
export function neededProgram(name: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return error;
  return new Error(`this test needs the program ${name}: apt-get install ${name}`);
}
