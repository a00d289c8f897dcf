import type { EligibilityState } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { listOpenCharges } from './pending-charges.ts'
import { getAccessEnd, hasAccess } from './subscription-rules.ts'
import { hadTrial } from './order-terms.ts'

export function getEligibilityState(store: LedgerStore, now: number): EligibilityState {
  const subscriptions = store.listRecords('subscription').map((subscription) => {
    const { subscription_id, revision, sku, channel, status, quantity, period, since } = subscription
    const [renews_at, isRunning] = [getAccessEnd(subscription), hasAccess(subscription, now)]
    return { subscription_id, revision, sku, channel, status, quantity, period, since, renews_at, isRunning }
  })
  return {
    subscriptions,
    balance: store.getBalance(),
    redeemed: store.listRecords('redemption').map(({ code }) => code),
    reserved: listOpenCharges(store).flatMap(({ job }) => (job.kind === 'purchase' && job.sealed.discount?.code) || []),
    hadTrial: hadTrial(store),
    hasPaid: store.listRecords('invoice').some(({ paid }) => paid > 0) || store.sumPostings('opening') > 0,
  }
}
