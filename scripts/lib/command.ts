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

/** Returns how the user called a command: through npm, or as `porchlight NAME`. `name`: `start`, `account` and so on. */
export function formatCommand(name: string): string {
  // npm sets this variable to the name of the script that it runs.
  if (process.env['npm_lifecycle_event'] !== name) return `porchlight ${name}`
  return name === 'start' ? 'npm start --' : `npm run ${name} --`
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
