import type { CancellationTiming } from '../../../contract/billing/cancellation.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { splitBalance } from './balance.ts'
import type { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addInvoice } from './invoices.ts'
import { endCanceledSubscription, cancelAllSubscriptions } from './cancel-subscription.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { planPayout, sendRefunds } from './refunds.ts'
import { hasAccess, willRenew } from './subscription-rules.ts'

/**
 * Canceled plan of an account that is deleted. `ends_at`: end of the plan, ms UTC. `to_method`: cents refunded to the
 * payment method.
 */
export interface ClosedPlan {
  readonly sku: Sku
  readonly way: CancellationTiming
  readonly ends_at: number
  readonly to_method: number
}

/** Effect of an account deletion on plans and balance. Amounts are cents, 0 or above. */
export interface AccountClosing {
  readonly plans: readonly ClosedPlan[]
  /** Plans with a pending charge, which end after that charge. */
  readonly waiting: readonly Sku[]
  /** Plans that cost nothing and end automatically. */
  readonly free: readonly Sku[]
  /** Plans bought through another channel. The account's owner must cancel them there. */
  readonly elsewhere: readonly Sku[]
  /** Part of the balance that is refunded to payment methods. */
  readonly from_balance: number
  /** Rest of the balance, which lapses with the account (OPEN-180). */
  readonly lapses: number
}

/**
 * Returns the effect of deleting the account now. Runs `cancelAllSubscriptions` and `closeLedger`, and rolls the
 * transaction back, so that preview and result agree.
 */
export function previewClosing(ctx: LedgerContext, now: number): AccountClosing {
  return runAndRollBack(ctx.book, () => {
    cancelAllSubscriptions(ctx, now)
    const live = ctx.book
      .listRecords('subscription')
      .filter((subscription) => hasAccess(subscription, now) || subscription.leaving?.at === now)
    const plans = live.flatMap(({ sku, until, leaving }) =>
      leaving ? [{ sku, way: leaving.way, ends_at: until, to_method: leaving.to_method }] : [],
    )
    const others = live.filter(({ leaving }) => !leaving)
    const isElsewhere = ({ channel }: SubscriptionRecord) => channel !== 'web' && channel !== 'bonus'
    const listSkus = (list: readonly SubscriptionRecord[]) => list.map(({ sku }) => sku)
    return {
      plans,
      waiting: listSkus(others.filter(willRenew)),
      free: listSkus(others.filter((subscription) => !isElsewhere(subscription) && !willRenew(subscription))),
      elsewhere: listSkus(others.filter(isElsewhere)),
      ...closeLedger(ctx, now),
    }
  })
}

/**
 * Ends all canceled plans with their promised refunds, and refunds the collected part of the balance. Returns the
 * refunded and the lapsed cents of the balance. Must run inside a transaction.
 */
export function closeLedger(ctx: LedgerContext, now: number): Pick<AccountClosing, 'from_balance' | 'lapses'> {
  for (const subscription of ctx.book.listRecords('subscription'))
    if (subscription.leaving && hasAccess(subscription, now)) endCanceledSubscription(ctx, subscription, now)
  return closeBalance(ctx, now)
}

function closeBalance(ctx: LedgerContext, now: number): Pick<AccountClosing, 'from_balance' | 'lapses'> {
  const { book } = ctx
  const balance = book.getBalance()
  if (balance === 0) return { from_balance: 0, lapses: 0 }
  const parts = planPayout(book, splitBalance(book).collected)
  const cents = parts.reduce((sum, part) => sum + part.cents, 0)
  const entry = book.addEntry('closed', book.account, now, [
    ['cash', 0 - cents],
    ['promotion', cents - balance],
    ['balance', balance],
  ])
  if (cents > 0) {
    const method = book.get('method', parts[0]?.charge.method_id ?? '')
    const note = { kind: 'credit_note', subscription_id: null, lines: [], paid: 0 - cents, state: 'paid' } as const
    const { bill } = addInvoice(book, entry, { ...note, lines: [], refunded: cents, method }, now)
    sendRefunds(ctx, { entry, bill, parts }, now)
  }
  return { from_balance: cents, lapses: balance - cents }
}

class RollbackWithResult<T> extends Error {
  readonly result: T
  constructor(result: T) {
    super('Rolled back.')
    this.result = result
  }
}

function runAndRollBack<T>(store: LedgerStore, work: () => T): T {
  try {
    return store.transaction<T>(() => {
      throw new RollbackWithResult(work())
    })
  } catch (error) {
    if (error instanceof RollbackWithResult) return error.result as T
    throw error
  }
}
