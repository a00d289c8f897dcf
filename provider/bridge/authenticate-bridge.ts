import type { MiddlewareHandler } from 'hono'
import { BODY_BYTES_MAX, readBytes } from '../../contract/wire/body-limits.ts'
import { BRIDGE_PATHS, BRIDGE_TIME_WINDOW_MS } from '../../contract/bridge/bridge-protocol.ts'
import type { AppEnv } from '../env.ts'
import { ApiError } from '../platform/api-error.ts'
import { rejectFailedAuth } from '../platform/rate-limits/failed-auth-limit.ts'
import { type BridgeRights, readBridgeRights } from './bridge-rights.ts'
import { importHexKey, verifyHmacHex, sha256Hex } from '../platform/crypto/hmac.ts'

/**
 * Context variables that the middleware sets: the bridge that sent the request, its rights, and the body that its
 * signature covers.
 */
export type BridgeEnv = AppEnv & {
  Variables: { bridgeId: string; rights: BridgeRights; body: Uint8Array<ArrayBuffer> }
}

/** Requests that store events, and need to know what the plans show. */
const PATHS_WITH_PLANS: readonly string[] = [BRIDGE_PATHS.events, BRIDGE_PATHS.clip, BRIDGE_PATHS.moments]

/**
 * Returns the body limit in bytes. The higher limit applies only to a batch of past events with a signed body digest.
 */
const getMaxBodyBytes = (path: string, isSigned: boolean) =>
  isSigned && path === BRIDGE_PATHS.history ? BODY_BYTES_MAX.bridge : BODY_BYTES_MAX.call

/** Returns the SHA-256 in a `Content-Digest` header (RFC 9530) as lower-case hex; null if there is none. */
function parseContentDigest(header: string | undefined): string | null {
  const digest = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(header ?? '')?.[1]
  return digest === undefined ? null : Buffer.from(digest, 'base64').toString('hex')
}

/**
 * Creates the error of a rejected request, with the same text for every reason. The text mentions the time, because a
 * wrong clock is the usual cause.
 */
const createAuthError = () => new ApiError(401, 401, 'The hub isn’t registered, or its signature or clock is wrong.')

/**
 * Authenticates a request as specified in contract/bridge/bridge-protocol.ts. Every response carries `x-provider-time`.
 */
export const authenticateBridge: MiddlewareHandler<BridgeEnv> = async (c, next) => {
  const now = Date.now()
  c.header('x-provider-time', String(now))
  const bridgeId = /^Bridge ([A-Za-z0-9_-]{1,64})$/.exec(c.req.header('authorization') ?? '')?.[1]
  const time = c.req.header('x-bridge-time') ?? ''
  if (!bridgeId || !/^\d{13}$/.test(time) || Math.abs(Number(time) - now) > BRIDGE_TIME_WINDOW_MS)
    throw createAuthError()
  const { pathname, search } = new URL(c.req.url)
  const rights = await readBridgeRights(c.env, bridgeId, PATHS_WITH_PLANS.includes(pathname))
  if (!rights) throw await rejectFailedAuth(c as never, 'bridge', createAuthError())
  const key = await importHexKey(rights.keyHash)
  const requireSignature = async (digest: string) => {
    const content = `${c.req.method}\n${pathname}${search}\n${time}\n${digest}`
    if (!(await verifyHmacHex(key, content, c.req.header('x-bridge-signature') ?? '')))
      throw await rejectFailedAuth(c as never, 'bridge', createAuthError())
  }
  const headerDigest = parseContentDigest(c.req.header('content-digest'))
  if (headerDigest !== null) await requireSignature(headerDigest)
  const body = await readBytes(c.req.raw, getMaxBodyBytes(pathname, headerDigest !== null))
  const digest = await sha256Hex(body)
  if (digest !== headerDigest) await requireSignature(digest)
  c.set('bridgeId', bridgeId)
  c.set('rights', rights)
  c.set('body', body)
  await next()
}
