import type { Quote } from '../../../contract/billing/purchase.ts'
import type { SealedQuote } from '../../platform/tickets/quote-ticket.ts'
import { openTicket, sealTicket } from '../../platform/tickets/tickets.ts'

/** Seals a quote for its account and the current revision of the ledger. */
export async function sealQuote(secret: string, sealed: SealedQuote): Promise<Quote> {
  return { ...sealed.terms, quote: await sealTicket(secret, 'quote', sealed) }
}

/** Returns the content of a genuine quote, even if it has expired or belongs to another account; else null. */
export const openAnyQuote = (secret: string, quote: string): Promise<SealedQuote | null> =>
  openTicket(secret, 'quote', quote, 0)

/** Returns the content of a genuine quote, even if it has expired; null if the quote belongs to another account. */
export async function openQuote(secret: string, account: string, quote: string): Promise<SealedQuote | null> {
  const sealed = await openAnyQuote(secret, quote)
  return sealed?.user === account ? sealed : null
}
