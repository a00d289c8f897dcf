import { createHash } from 'node:crypto'

/** What a token or session id is found by in D1: its SHA-256, base64url. Ids are random, so that a fast hash is enough. */
export function hashToken(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
