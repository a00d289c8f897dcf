/** User name and password of any address in a text; to the last `@`, since a password may hold one. */
const CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)\S*@/gi

/** Masks credentials of addresses. */
export function mask(text: string): string {
  return text.replace(CREDENTIALS, '$1***@')
}

/** One fact, one line. */
export function log(line: string): void {
  process.stdout.write(`bridge: ${mask(line).replaceAll('\n', ' ')}\n`)
}

/** A fact that the owner should read: the supervisor repeats lines with `!` on the terminal. */
export function warn(line: string): void {
  log(`! ${line}`)
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  if (error instanceof Error)
    return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
  return String(error)
}
