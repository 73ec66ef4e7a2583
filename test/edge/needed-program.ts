/** The error for a program that a test cannot start. */
export function neededProgram(name: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return error;
  return new Error(`this test needs the program ${name}: apt-get install ${name}`);
}
