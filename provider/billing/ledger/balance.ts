import type { LedgerStore } from './ledger-store.ts'

/** The two parts of an account's balance, cents, 0 or above. */
export interface BalanceParts {
  /** Money that was collected. It can be refunded. */
  readonly collected: number
  /** Credit from coupons. It pays plans and is never paid out. */
  readonly promotional: number
}

interface BalanceChange {
  readonly kind: string
  /** Subscription id. If the entry belongs to no subscription: subject of the entry, such as a coupon code. */
  readonly subject: string
  /** Change of the balance by the entry, cents; above 0: the balance rises. */
  readonly change: number
}

/** Kinds of entries that change the balance, or that start a new period of a subscription. */
const ENTRY_KINDS = "('credit', 'purchase', 'renewal', 'refund', 'refund_returned', 'ended', 'closed')"

/**
 * Splits the balance into collected and promotional cents. Plans use up promotional credit first. A plan's refund is
 * promotional up to the promotional credit that paid its current period; the rest is collected.
 */
export function splitBalance(store: LedgerStore): BalanceParts {
  let [collected, promotional] = [0, 0]
  /** Promotional cents that paid the current period, by subscription id. */
  const promotionalBySubscription = new Map<string, number>()
  for (const { kind, subject, change } of listBalanceChanges(store)) {
    if (kind === 'renewal') promotionalBySubscription.delete(subject)
    if (kind === 'credit') promotional += change
    else if (kind === 'refund_returned' || (kind === 'refund' && change < 0)) collected += change
    else {
      const part =
        change < 0
          ? 0 - Math.min(promotional, 0 - change)
          : Math.min(change, promotionalBySubscription.get(subject) ?? 0)
      promotional += part
      collected += change - part
      promotionalBySubscription.set(subject, (promotionalBySubscription.get(subject) ?? 0) - part)
    }
  }
  return { collected, promotional }
}

const listBalanceChanges = ({ sql }: LedgerStore): BalanceChange[] =>
  sql
    .exec<{ kind: string; subject: string; change: number }>(
      `SELECT entries.kind, coalesce(json_extract(body, '$.subscription_id'), subject) AS subject,
         coalesce(change, 0) AS change
       FROM entries
         LEFT JOIN (SELECT entry_id, 0 - sum(cents) AS change FROM postings WHERE account = 'balance' GROUP BY entry_id)
           USING (entry_id)
         LEFT JOIN records ON records.kind = 'order' AND records.id = subject
       WHERE entries.kind IN ${ENTRY_KINDS} ORDER BY entry_id`,
    )
    .toArray()
