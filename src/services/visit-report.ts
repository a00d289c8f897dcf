import { REVENUE_PATH } from '../../contract/telemetry/visits.ts'

let isReported = false

/**
 * Reports this visit to the portal, once per document (ANALYTICS-01). Sends the SHA-256 of the email, never the email.
 * Does nothing without a token, an email or `crypto.subtle`; fails silently.
 */
export async function reportVisit(token: string, email: string): Promise<void> {
  const normalizedEmail = email.trim().toLowerCase()
  const { subtle } = crypto as Partial<Crypto>
  if (isReported || token === '' || normalizedEmail === '' || subtle === undefined) return
  isReported = true
  try {
    const emailHash = toHex(await subtle.digest('SHA-256', new TextEncoder().encode(normalizedEmail)))
    await fetch(REVENUE_PATH, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, person: emailHash }),
    })
  } catch {
    // If the report fails, the visit is not counted, which does not affect the user.
  }
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
