import { createHash, createHmac } from 'node:crypto'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { REVENUE_PATH, formatSignedVisit } from '../../contract/telemetry/visits.ts'
import type { Env } from '../../provider/env.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import type { Visitor } from './visitor.ts'

export const TEST_REVENUE_TOKEN = 'Revenue-Token-1'

/** Returns the SHA-256 hash of the email address. In a visit report, a page identifies the account by this hash. */
export const hashEmail = (email: string): string => createHash('sha256').update(email).digest('hex')

const toText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

export const sendVisit = (visitor: Visitor, body: unknown, change: Record<string, string> = {}): Promise<Response> =>
  visitor.fetch(REVENUE_PATH, {
    method: 'POST',
    body: toText(body),
    headers: {
      'content-type': 'application/json',
      origin: visitor.portalOrigin,
      'sec-fetch-site': 'same-origin',
      ...change,
    },
  })

/** Sends a visit report to the provider, signed as the edge signs it, or with `signature` instead. */
export function sendSignedVisit(env: RunEnvironment, visit: unknown, signature?: string): Promise<Response> {
  const body = toText(visit)
  const edgeSignature = createHmac('sha256', env.MEDIA_KEY).update(formatSignedVisit(body)).digest('hex')
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature ?? edgeSignature }
  return fetch(env.PROVIDER_ORIGIN + REVENUE_PATH, { method: 'POST', headers, body })
}

export interface StoredVisit {
  readonly person: string
  readonly day: string
}

export async function listStoredVisits({ DB }: Env): Promise<StoredVisit[]> {
  const { results } = await DB.prepare('SELECT person, day FROM revenue_visits ORDER BY day, person').all<StoredVisit>()
  return results
}
