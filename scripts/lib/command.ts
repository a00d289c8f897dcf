import { parseArgs, type ParseArgsConfig } from 'node:util'
import { StopError } from './stop.ts'

/** Parses a command's arguments. Throws a `StopError` with the reason and `help` if an argument is invalid. */
export function parseCommandArguments<Config extends ParseArgsConfig>(
  config: Config,
  help: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new StopError(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  }
}

/** Runs a command. On a `StopError`, prints its message and exits with code 1. Rethrows any other error. */
export async function runCommand(command: () => Promise<void> | void): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof StopError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
