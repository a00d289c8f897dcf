import type { MiddlewareHandler } from 'hono'
import { BODY_MAX, readBytes } from '../../contract/body.ts'
import { BRIDGE_TIME_WINDOW_MS } from '../../contract/bridge.ts'
import type { AppEnv } from '../env.ts'
import { Refusal } from '../base/refusal.ts'
import { hexKey, hmacMatches, sha256Hex } from '../base/hmac.ts'

/** What the middleware leaves for the handlers: whose request it is, and the body that its signature covers. */
export type BridgeEnv = AppEnv & { Variables: { bridgeId: string; body: Uint8Array<ArrayBuffer> } }

/** Every refusal looks the same, and tells the bridge the time, which is the usual cause. */
const refuse = () => new Refusal(401, 401, 'The bridge is not enrolled, or its signature or time is wrong.')

/** Authenticates a request as contract/bridge.ts says; every answer carries `x-provider-time`. */
export const authenticateBridge: MiddlewareHandler<BridgeEnv> = async (c, next) => {
  const now = Date.now()
  c.header('x-provider-time', String(now))
  const bridgeId = /^Bridge ([A-Za-z0-9_-]{1,64})$/.exec(c.req.header('authorization') ?? '')?.[1]
  const time = c.req.header('x-bridge-time') ?? ''
  if (!bridgeId || !/^\d{13}$/.test(time) || Math.abs(Number(time) - now) > BRIDGE_TIME_WINDOW_MS) throw refuse()
  const keyHash = await c.env.DB.prepare('SELECT key_hash FROM bridges WHERE bridge_id = ?')
    .bind(bridgeId)
    .first<string>('key_hash')
  if (!keyHash) throw refuse()
  const body = await readBytes(c.req.raw, BODY_MAX.bridge)
  const { pathname, search } = new URL(c.req.url)
  const content = `${c.req.method}\n${pathname}${search}\n${time}\n${await sha256Hex(body)}`
  if (!(await hmacMatches(await hexKey(keyHash), content, c.req.header('x-bridge-signature') ?? ''))) throw refuse()
  c.set('bridgeId', bridgeId)
  c.set('body', body)
  await next()
}
