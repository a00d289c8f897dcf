import { parseArgs, type ParseArgsConfig } from 'node:util'
import { Stop } from './stop.ts'

/** What a command was given, by its `options`. Throws a `Stop` with `help` where an argument makes no sense. */
export function readArguments<Config extends ParseArgsConfig>(
  config: Config,
  help: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new Stop(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  }
}

/** Runs a command. A `Stop` is its last sentence and exit code 1; anything else that it throws is shown with its stack. */
export async function runCommand(command: () => Promise<void> | void): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
