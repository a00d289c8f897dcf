import type { Context } from 'hono'
import { BODY_BYTES_MAX, readBytes } from '../../../contract/wire/body-limits.ts'
import { hasQueryPayload } from '../../../contract/wire/call.ts'
import type { AppEnv } from '../../env.ts'
import { badRequest } from '../api-error.ts'
import { toSignedQuery } from '../auth/verify-signature.ts'

/** Payload of a call, and the exact bytes or text that the signature covers. */
export interface RawCallInput {
  readonly payload: Record<string, unknown>
  readonly signedContent: Uint8Array | string
}

function readQueryInput(url: string): RawCallInput {
  const query = new URL(url).searchParams
  const payload: Record<string, unknown> = {}
  for (const [name, value] of query) {
    if (Object.hasOwn(payload, name)) throw badRequest(`The parameter ${name} appears twice.`)
    payload[name] = value
  }
  return { payload, signedContent: toSignedQuery(query) }
}

async function readBodyInput(c: Context<AppEnv>): Promise<RawCallInput> {
  const bytes = await readBytes(c.req.raw, BODY_BYTES_MAX.call)
  if (bytes.length === 0) return { payload: {}, signedContent: bytes }
  const json = parseJson(bytes)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw badRequest('The body isn’t a JSON object.')
  return { payload: json as Record<string, unknown>, signedContent: bytes }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badRequest('The body isn’t JSON.')
  }
}

/**
 * Reads the payload of a call from its query or body (contract/wire/call.ts). Throws an `ApiError` 400 for a malformed
 * payload, and `BodyTooLargeError` for a body above `BODY_BYTES_MAX.call`.
 */
export async function readCallInput(c: Context<AppEnv>): Promise<RawCallInput> {
  return hasQueryPayload(c.req.method) ? readQueryInput(c.req.url) : await readBodyInput(c)
}
