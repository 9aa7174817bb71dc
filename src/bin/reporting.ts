/** Runs a command's work; an error is written with the command's name, and is exit code 1. */
export async function reporting(command: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`postern ${command}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
