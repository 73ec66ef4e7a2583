/** What to say when a program that a test needs cannot be started. */
export function neededProgram(name: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return error;
  return new Error(`this test needs the program ${name}: apt-get install ${name}`);
}
