import { createHash } from 'node:crypto'

/**
 * Returns the D1 lookup key of a token or session id: its SHA-256, base64url. A fast hash is enough because ids are
 * random.
 */
export function hashToken(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
