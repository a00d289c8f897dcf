import { createHash, createHmac } from 'node:crypto'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data)

/** Returns the `content-digest` header (RFC 9530). */
export const createContentDigest = (body: Buffer | string): string => `sha-256=:${sha256(body).digest('base64')}:`

/**
 * Signs a request (contract/bridge/bridge-protocol.ts). `path` includes the query as sent, `time` is ms UTC by the
 * provider's clock, `body` holds the exact bytes.
 */
export function signBridgeRequest(
  key: Buffer,
  method: string,
  path: string,
  time: number,
  body: Buffer | string,
): string {
  const digest = sha256(body).digest('hex')
  const secret = sha256(key).digest()
  return createHmac('sha256', secret).update(`${method}\n${path}\n${time}\n${digest}`).digest('hex')
}
