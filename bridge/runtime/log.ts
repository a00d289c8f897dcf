/**
 * A password in the path or the query of an address, as cheap cameras have it: to the next parameter, which follows `&` or,
 * in some paths, `_name=`.
 */
const PARAMETER =
  /((?<![a-z])(?:password|passwd|passcode|pass|pwd|psw|pswd|pw|secret|token|auth)=)(?:[^&\s"'`_]|_(?![a-z]{1,40}=))*/gi

/** Masks credentials of addresses. */
export function mask(text: string): string {
  const words = text.split(/(\s+)/)
  return words.map(maskLogin).join('').replace(PARAMETER, '$1***')
}

/** A word without the user name and password of its address; to the last `@`, since a password may hold one. */
function maskLogin(word: string): string {
  const begin = word.indexOf('://') + '://'.length
  const end = word.lastIndexOf('@')
  return begin < '://'.length || end < begin ? word : `${word.slice(0, begin)}***${word.slice(end)}`
}

let stamp = (): string => ''

/** From now on each line begins with its time (ISO 8601, UTC), so that an owner finds the events that belong to it. */
export function stampLines(): void {
  stamp = () => `${new Date().toISOString()} `
}

/** One fact, one line. */
export function log(line: string): void {
  process.stdout.write(`${stamp()}bridge: ${mask(line).replaceAll('\n', ' ')}\n`)
}

/** A fact that the owner should read: the supervisor repeats lines with `!` on the terminal. */
export function warn(line: string): void {
  log(`! ${line}`)
}

/** The message of anything that was thrown. */
export function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getErrorMessage(error.errors[0])
  if (error instanceof Error)
    return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
  return String(error)
}
