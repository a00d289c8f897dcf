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

/** Commands that are also npm scripts. */
const NPM_COMMANDS: readonly string[] = ['start', 'account', 'backup', 'restore', 'insights', 'reconcile']
/** npm scripts whose messages name commands. */
const NPM_SCRIPTS = [...NPM_COMMANDS, 'clock', 'collector', 'deploy', 'dev', 'errors', 'keys', 'preview']

/**
 * Returns how the user calls a command with options: through npm if the running command was started this way, else as
 * `porchlight NAME`. `name`: `start`, `account` and so on.
 */
export function formatCommand(name: string): string {
  const command = formatBareCommand(name)
  return command.startsWith('npm ') ? `${command} --` : command
}

/** Returns how the user calls a command without options (`formatCommand`). */
export function formatBareCommand(name: string): string {
  // npm sets this variable to the name of the script that it runs; `npx porchlight` sets it to `npx`.
  const script = process.env['npm_lifecycle_event'] ?? ''
  if (!NPM_SCRIPTS.includes(script) || !NPM_COMMANDS.includes(name)) return `porchlight ${name}`
  return name === 'start' ? 'npm start' : `npm run ${name}`
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
