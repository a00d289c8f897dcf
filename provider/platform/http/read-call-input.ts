import type { Context } from 'hono'
import { BODY_MAX, readBytes } from '../../../contract/wire/body-limits.ts'
import { isInQuery } from '../../../contract/wire/call.ts'
import type { AppEnv } from '../../env.ts'
import { badRequest } from '../api-error.ts'
import { signedQuery } from '../auth/verify-signature.ts'

/** Payload of a call, and the exact content that its signature covers. */
export interface RawInput {
  readonly payload: Record<string, unknown>
  readonly signed: Uint8Array | string
}

function fromQuery(url: string): RawInput {
  const query = new URL(url).searchParams
  const payload: Record<string, unknown> = {}
  for (const [name, value] of query) {
    if (Object.hasOwn(payload, name)) throw badRequest(`The parameter ${name} is given twice.`)
    payload[name] = value
  }
  return { payload, signed: signedQuery(query) }
}

async function fromBody(c: Context<AppEnv>): Promise<RawInput> {
  const bytes = await readBytes(c.req.raw, BODY_MAX.call)
  if (bytes.length === 0) return { payload: {}, signed: bytes }
  const json = parse(bytes)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw badRequest('The body is not a JSON object.')
  return { payload: json as Record<string, unknown>, signed: bytes }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badRequest('The body is not JSON.')
  }
}

/**
 * Reads the payload of a call from its query or body (contract/wire/call.ts). Throws an `ApiError` 400, or
 * `BodyTooLarge`.
 */
export async function readInput(c: Context<AppEnv>): Promise<RawInput> {
  return isInQuery(c.req.method) ? fromQuery(c.req.url) : await fromBody(c)
}
