import type { MiddlewareHandler } from 'hono'
import { BODY_MAX, readBytes } from '../../contract/wire/body-limits.ts'
import { BRIDGE_PATHS, BRIDGE_TIME_WINDOW_MS } from '../../contract/bridge/bridge-protocol.ts'
import type { AppEnv } from '../env.ts'
import { ApiError } from '../platform/api-error.ts'
import { rejectFailedAuth } from '../platform/rate-limits/failed-auth-limit.ts'
import { hexKey, hmacMatches, sha256Hex } from '../platform/crypto/hmac.ts'

/** Variables set by the middleware: the bridge of the request, and the body that its signature covers. */
export type BridgeEnv = AppEnv & { Variables: { bridgeId: string; body: Uint8Array<ArrayBuffer> } }

/** Returns the body limit. Only a batch of past events may be longer, and only after its signature was verified. */
const maxBodyBytes = (path: string, isSigned: boolean) =>
  isSigned && path === BRIDGE_PATHS.history ? BODY_MAX.bridge : BODY_MAX.call

/** Returns the SHA-256 of the body that a request announces (RFC 9530), lower-case hex; null if there is none. */
function announcedDigest(header: string | undefined): string | null {
  const digest = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(header ?? '')?.[1]
  return digest === undefined ? null : Buffer.from(digest, 'base64').toString('hex')
}

/**
 * Creates the error of a rejected request. All rejections look the same. The response tells the bridge the time,
 * because a wrong clock is the usual cause.
 */
const refuse = () => new ApiError(401, 401, 'The bridge is not enrolled, or its signature or time is wrong.')

/**
 * Authenticates a request as specified in contract/bridge/bridge-protocol.ts. Every response carries `x-provider-time`.
 */
export const authenticateBridge: MiddlewareHandler<BridgeEnv> = async (c, next) => {
  const now = Date.now()
  c.header('x-provider-time', String(now))
  const bridgeId = /^Bridge ([A-Za-z0-9_-]{1,64})$/.exec(c.req.header('authorization') ?? '')?.[1]
  const time = c.req.header('x-bridge-time') ?? ''
  if (!bridgeId || !/^\d{13}$/.test(time) || Math.abs(Number(time) - now) > BRIDGE_TIME_WINDOW_MS) throw refuse()
  const keyHash = await c.env.DB.prepare('SELECT key_hash FROM bridges WHERE bridge_id = ?')
    .bind(bridgeId)
    .first<string>('key_hash')
  if (!keyHash) throw await rejectFailedAuth(c as never, 'bridge', refuse())
  const { pathname, search } = new URL(c.req.url)
  const key = await hexKey(keyHash)
  const mustBeSigned = async (digest: string) => {
    const content = `${c.req.method}\n${pathname}${search}\n${time}\n${digest}`
    if (!(await hmacMatches(key, content, c.req.header('x-bridge-signature') ?? '')))
      throw await rejectFailedAuth(c as never, 'bridge', refuse())
  }
  const announced = announcedDigest(c.req.header('content-digest'))
  if (announced !== null) await mustBeSigned(announced)
  const body = await readBytes(c.req.raw, maxBodyBytes(pathname, announced !== null))
  const digest = await sha256Hex(body)
  if (digest !== announced) await mustBeSigned(digest)
  c.set('bridgeId', bridgeId)
  c.set('body', body)
  await next()
}
