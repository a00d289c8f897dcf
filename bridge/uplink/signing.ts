import { createHash, createHmac } from 'node:crypto'

/**
 * Signature of a request (contract/bridge.ts). `path` with its query as it is sent, `time` in ms UTC by the provider's
 * clock, `body` the exact bytes.
 */
export function sign(key: Buffer, method: string, path: string, time: number, body: Buffer | string): string {
  const digest = createHash('sha256').update(body).digest('hex')
  const secret = createHash('sha256').update(key).digest()
  return createHmac('sha256', secret).update(`${method}\n${path}\n${time}\n${digest}`).digest('hex')
}
