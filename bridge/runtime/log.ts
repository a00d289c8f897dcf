/**
 * Matches a password parameter in the path or query of a camera's address. The password ends at `&`, at white space, at
 * a quotation mark, or, in some paths, at the next `_name=`.
 */
const PASSWORD_PARAMETER =
  /((?<![a-z])(?:password|passwd|passcode|pass|pwd|psw|pswd|pw|secret|token|auth)=)(?:[^&\s"'`_]|_(?![a-z]{1,40}=))*/gi

export function maskCredentials(text: string): string {
  const words = text.split(/(\s+)/)
  return words.map(maskLogin).join('').replace(PASSWORD_PARAMETER, '$1***')
}

/** Masks the login in an address. The login ends at the last `@`, because a password may contain `@` too. */
function maskLogin(word: string): string {
  const begin = word.indexOf('://') + '://'.length
  const end = word.lastIndexOf('@')
  return begin < '://'.length || end < begin ? word : `${word.slice(0, begin)}***${word.slice(end)}`
}

let formatTimestamp = (): string => ''

/** Prefixes every later log line with its time (ISO 8601, UTC), so that an owner can compare log lines with events. */
export function enableTimestamps(): void {
  formatTimestamp = () => `${new Date().toISOString()} `
}

export function log(line: string): void {
  process.stdout.write(`${formatTimestamp()}bridge: ${maskCredentials(line).replaceAll('\n', ' ')}\n`)
}

/**
 * Logs a message for the owner with the prefix `!`. The supervisor also prints the lines with this prefix on its
 * terminal.
 */
export function warn(line: string): void {
  log(`! ${line}`)
}

export function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getErrorMessage(error.errors[0])
  if (error instanceof Error)
    return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
  return String(error)
}
