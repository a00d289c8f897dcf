import type { Quote } from '../../../contract/billing/purchase.ts'
import type { QuoteContent } from '../../platform/tickets/quote-ticket.ts'
import { verifyTicket, createTicket } from '../../platform/tickets/tickets.ts'

/** Seals a quote, which is valid only for its account and the current revision of the ledger. */
export async function sealQuote(secret: string, quoteContent: QuoteContent): Promise<Quote> {
  return { ...quoteContent.terms, quote: await createTicket(secret, 'quote', quoteContent) }
}

/**
 * Returns the content of a validly sealed quote, even if it has expired or belongs to another account; null if the seal
 * is invalid.
 */
export const openAnyQuote = (secret: string, quote: string): Promise<QuoteContent | null> =>
  verifyTicket(secret, 'quote', quote, 0)

/**
 * Returns the content of a validly sealed quote, even if it has expired; null if the seal is invalid or the quote
 * belongs to another account.
 */
export async function openQuote(secret: string, account: string, quote: string): Promise<QuoteContent | null> {
  const quoteContent = await openAnyQuote(secret, quote)
  return quoteContent?.user === account ? quoteContent : null
}
