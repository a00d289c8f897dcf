import { REVENUE_PATH } from '../../contract/telemetry/visits.ts'

let isStarted = false

/**
 * Tells this portal, once per document, that the person with this e-mail is here (ANALYTICS-01). The e-mail stays in the page: its
 * SHA-256 is sent. Does nothing without a token or an e-mail, or where the browser has no `crypto.subtle`, and fails silently.
 */
export async function startRevenue(token: string, email: string): Promise<void> {
  const address = email.trim().toLowerCase()
  const { subtle } = crypto as Partial<Crypto>
  if (isStarted || token === '' || address === '' || subtle === undefined) return
  isStarted = true
  try {
    const person = toHex(await subtle.digest('SHA-256', new TextEncoder().encode(address)))
    await fetch(REVENUE_PATH, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, person }),
    })
  } catch {
    // A visit that is not counted concerns nobody who is here.
  }
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
