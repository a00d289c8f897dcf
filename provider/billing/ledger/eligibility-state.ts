import type { EligibilityState } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { listOpenCharges } from './pending-charges.ts'
import { getAccessEnd, hasAccess } from './subscription-rules.ts'
import { hadTrial } from './order-terms.ts'

export function getEligibilityState(book: LedgerStore, now: number): EligibilityState {
  const subscriptions = book.listRecords('subscription').map((subscription) => {
    const { subscription_id, revision, sku, channel, status, quantity, period, since } = subscription
    const [renews_at, isRunning] = [getAccessEnd(subscription), hasAccess(subscription, now)]
    return { subscription_id, revision, sku, channel, status, quantity, period, since, renews_at, isRunning }
  })
  return {
    subscriptions,
    balance: book.balance(),
    redeemed: book.listRecords('redemption').map(({ code }) => code),
    reserved: listOpenCharges(book).flatMap(({ job }) => (job.kind === 'purchase' && job.sealed.discount?.code) || []),
    hadTrial: hadTrial(book),
    hasPaid: book.listRecords('invoice').some(({ paid }) => paid > 0) || book.sumPostings('opening') > 0,
  }
}
