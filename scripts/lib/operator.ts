import { existsSync } from 'node:fs'
import { formatBareCommand } from './command.ts'
import { readEnvironment } from './secrets-file.ts'
import type { RunEnvironment } from './secrets.ts'
import { StopError } from './stop.ts'

export type OperatorCredentials = Pick<RunEnvironment, 'PROVIDER_ORIGIN' | 'PROVIDER_INTERNAL_ORIGIN' | 'ADMIN_KEY'>

/**
 * Reads provider origin and admin key from an environment file. Throws `StopError` if the file or a value is missing.
 */
export function readOperator(path: string): OperatorCredentials {
  if (!existsSync(path)) {
    throw new StopError(`${path} doesn't exist. Start Porchlight first, or set its data folder with --data.`)
  }
  const { PROVIDER_ORIGIN, PROVIDER_INTERNAL_ORIGIN, ADMIN_KEY } = readEnvironment(path)
  if (!PROVIDER_ORIGIN || !ADMIN_KEY) throw new StopError(`PROVIDER_ORIGIN or ADMIN_KEY is missing from ${path}.`)
  return { PROVIDER_ORIGIN, ADMIN_KEY, ...(PROVIDER_INTERNAL_ORIGIN && { PROVIDER_INTERNAL_ORIGIN }) }
}

export class OperatorCallError extends StopError {
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/**
 * Sends one operator call to a running provider (contract/operator/operator-calls.ts) and returns the response's JSON.
 * Throws `OperatorCallError` on an error response and `StopError` if the provider is unreachable.
 */
export async function callOperator(
  operator: OperatorCredentials,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await sendRequest(operator, method, path, body)
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  throw new OperatorCallError(
    response.status,
    parseErrorMessage(text) ?? `The provider rejected ${path} with status ${response.status}: ${text}`,
  )
}

async function sendRequest(
  operator: OperatorCredentials,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const origin = operator.PROVIDER_INTERNAL_ORIGIN ?? operator.PROVIDER_ORIGIN
  try {
    return await fetch(origin + path, {
      method,
      headers: { authorization: `Admin ${operator.ADMIN_KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new StopError(
      `The provider at ${origin} can't be reached (${cause}). Check your connection. If the provider runs on this computer, run ${formatBareCommand('start')}.`,
    )
  }
}

function parseErrorMessage(text: string): string | null {
  try {
    const { msg } = JSON.parse(text) as { msg?: unknown }
    return typeof msg === 'string' ? msg : null
  } catch {
    return null
  }
}
