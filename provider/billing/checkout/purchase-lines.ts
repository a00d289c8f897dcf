import { formatMoney } from '../../../contract/billing/amounts.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Env } from '../../env.ts'
import { openQuote } from '../ledger/sealed-quotes.ts'

const PERIOD_PHRASES = { monthly: 'a month', annual: 'a year' } as const

/**
 * Returns the lines that tell the buyer what the card will pay. They come from the quote with which the card page was
 * opened. Returns none if the quote has expired or belongs to another account.
 */
export async function formatPurchaseLines(
  env: Pick<Env, 'TICKET_KEY'>,
  account: string,
  quote: string | undefined,
  now: number,
): Promise<readonly string[]> {
  const sealed = quote === undefined ? null : await openQuote(env.TICKET_KEY, account, quote)
  if (sealed === null || sealed.exp <= now) return []
  const { sku, period, quantity, due, next, currency } = sealed.terms
  const count = quantity === 1 ? '' : ` for ${quantity} cameras`
  const renewal = next === null ? '' : `; then ${formatMoney(next.total, currency)} ${PERIOD_PHRASES[period]}`
  const today = due === 0 ? 'Nothing today' : `${formatMoney(due, currency)} after you go back and press Pay`
  return [`${getPlan(sku).name}${count}, ${period}`, `${today}${renewal}.`]
}
