import { RETURN_PROOF_PARAMETER } from '../../contract/billing/payment-calls.ts'
import type { Visitor } from './visitor.ts'

export const TEST_CARD = {
  number: '4242 4242 4242 4242',
  ends: '08 / 38',
  code: '987',
  name: 'Maya Reyes',
  country: 'US',
  street: '48 Alder Lane',
  city: 'Springfield',
  state: 'IL',
  zip: '62704',
}

/** Returns the proof in the fragment of the card page's redirect URL, or null if there is none. */
export const readReturnProof = (answer: Response): string | null =>
  new URLSearchParams(answer.headers.get('location')?.split('#')[1]).get(RETURN_PROOF_PARAMETER)

/** Sends the proof in `answer`, the card page's redirect, to the portal, as the payment page does. */
export const completeCardReturn = (visitor: Visitor, answer: Response): Promise<Response> =>
  visitor.post('/api/payment/return', { proof: readReturnProof(answer) ?? undefined })

/**
 * Opens `url`, the card page's URL with a ticket. Follows one redirect if there is one, as a browser does, and returns
 * the last response.
 */
export async function openCardPage(visitor: Visitor, url: string): Promise<Response> {
  const answer = await visitor.navigate(url)
  const location = answer.headers.get('location')
  return location === null ? answer : visitor.navigate(new URL(location, url).href)
}

export const submitCardFields = (visitor: Visitor, origin: string, fields: Record<string, string>): Promise<Response> =>
  visitor.fetch(`${origin}/card`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
  })

/** Opens the card page at `url`, submits a card, and returns the response to the last form. */
export async function saveCardOnPage(
  visitor: Visitor,
  url: string,
  change: Partial<typeof TEST_CARD> = {},
): Promise<Response> {
  await openCardPage(visitor, url)
  const { origin } = new URL(url)
  const saved = await submitCardFields(visitor, origin, { do: 'save', ...TEST_CARD, ...change })
  // A redirect to `/card` leads to the bank's challenge, which the second form confirms.
  return saved.headers.get('location') === '/card' ? submitCardFields(visitor, origin, { do: 'confirm' }) : saved
}
