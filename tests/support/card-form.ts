import { RETURN_PROOF } from '../../contract/billing/payment-calls.ts'
import type { Visitor } from './visitor.ts'

export const CARD = {
  ...{ number: '4242 4242 4242 4242', ends: '08 / 38', code: '987', name: 'Maya Reyes', country: 'US' },
  ...{ street: '48 Alder Lane', city: 'Springfield', state: 'IL', zip: '62704' },
}

/** Returns the proof in the fragment of the card page's redirect URL, or null if there is none. */
export const readReturnProof = (answer: Response): string | null =>
  new URLSearchParams(answer.headers.get('location')?.split('#')[1]).get(RETURN_PROOF)

/** Sends the proof in `answer`, the card page's redirect, to the portal, as the payment page does. */
export const finishReturn = (visitor: Visitor, answer: Response): Promise<Response> =>
  visitor.post('/api/payment/return', { proof: readReturnProof(answer) ?? undefined })

/**
 * Opens the card page with the ticket in `url` and follows its redirect, as a browser does. Returns the response of the
 * page.
 */
export async function openCard(visitor: Visitor, url: string): Promise<Response> {
  const answer = await visitor.navigate(url)
  const location = answer.headers.get('location')
  return location === null ? answer : visitor.navigate(new URL(location, url).href)
}

export const submitCard = (visitor: Visitor, origin: string, fields: Record<string, string>): Promise<Response> =>
  visitor.fetch(`${origin}/card`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
  })

/** Types a card on the page that `url` opens; returns the response to the last form. */
export async function typeCard(visitor: Visitor, url: string, change: Partial<typeof CARD> = {}): Promise<Response> {
  await openCard(visitor, url)
  const { origin } = new URL(url)
  const saved = await submitCard(visitor, origin, { do: 'save', ...CARD, ...change })
  // Confirms the bank's challenge as the card's owner does.
  return saved.headers.get('location') === '/card' ? submitCard(visitor, origin, { do: 'confirm' }) : saved
}
