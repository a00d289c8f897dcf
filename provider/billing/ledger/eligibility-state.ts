import type { BookState } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { openCharges } from './pending-charges.ts'
import { accessEndsAt, isLive } from './subscription-rules.ts'
import { hadTrial } from './order-terms.ts'

export function getEligibilityState(book: LedgerStore, now: number): BookState {
  const subscriptions = book.all('subscription').map((subscription) => {
    const { subscription_id, revision, sku, channel, status, quantity, period, since } = subscription
    const [renews_at, isRunning] = [accessEndsAt(subscription), isLive(subscription, now)]
    return { subscription_id, revision, sku, channel, status, quantity, period, since, renews_at, isRunning }
  })
  return {
    subscriptions,
    balance: book.balance(),
    redeemed: book.all('redemption').map(({ code }) => code),
    reserved: openCharges(book).flatMap(({ job }) => (job.kind === 'purchase' && job.sealed.discount?.code) || []),
    hadTrial: hadTrial(book),
    hasPaid: book.all('invoice').some(({ paid }) => paid > 0) || book.sumPostings('opening') > 0,
  }
}
