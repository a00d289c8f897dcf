import type { Quote } from '../../../contract/billing/purchase.ts'
import type { SealedQuote } from '../../platform/tickets/quote-ticket.ts'
import { openTicket, sealTicket } from '../../platform/tickets/tickets.ts'

/** The quote of these terms, sealed for its account and for the book as it is. */
export async function sealQuote(secret: string, sealed: SealedQuote): Promise<Quote> {
  return { ...sealed.terms, quote: await sealTicket(secret, 'quote', sealed) }
}

/** What a genuine quote says, be it over or not, and whoever's it is; else null. */
export const openAnyQuote = (secret: string, quote: string): Promise<SealedQuote | null> =>
  openTicket(secret, 'quote', quote, 0)

/** The same of this account's own. */
export async function openQuote(secret: string, account: string, quote: string): Promise<SealedQuote | null> {
  const sealed = await openAnyQuote(secret, quote)
  return sealed?.user === account ? sealed : null
}
