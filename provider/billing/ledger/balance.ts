import { isFullRefund } from '../pricing/unused-time.ts'
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
  /** ms UTC */
  readonly at: number
  /** Change of the balance by the entry, cents; above 0: the balance rises. */
  readonly change: number
}

/** Kinds of entries that change the balance, or that start a new period of a subscription. */
const ENTRY_KINDS = "('credit', 'purchase', 'renewal', 'refund', 'refund_returned', 'recovered', 'ended', 'closed')"

/** Promotional cents that paid for a period of a subscription. `at`: ms UTC. */
interface PromotionalPayment {
  readonly at: number
  readonly subject: string
  isCurrentPeriod: boolean
  cents: number
}

/** Promotional credit that paid for subscriptions and that refunds return as promotional credit. */
class PromotionalPayments {
  readonly #payments: PromotionalPayment[] = []

  add(subject: string, at: number, cents: number): void {
    this.#payments.push({ at, subject, isCurrentPeriod: true, cents })
  }

  startPeriod(subject: string): void {
    for (const payment of this.#payments) if (payment.subject === subject) payment.isCurrentPeriod = false
  }

  /**
   * Takes up to `cents` from the payments for the current period and from those that a full refund at `at` still
   * covers. Returns the cents that it took.
   */
  reclaim(subject: string, at: number, cents: number): number {
    let left = cents
    for (const payment of this.#payments) {
      if (payment.subject !== subject || !(payment.isCurrentPeriod || isFullRefund(payment.at, at))) continue
      const part = Math.min(left, payment.cents)
      payment.cents -= part
      left -= part
    }
    return cents - left
  }
}

/**
 * Splits the balance into collected and promotional cents. Plans use up promotional credit first. A plan's refund is
 * promotional up to the promotional credit that paid for the refunded periods; the rest is collected.
 */
export function splitBalance(store: LedgerStore): BalanceParts {
  let [collected, promotional] = [0, 0]
  const payments = new PromotionalPayments()
  for (const { kind, subject, at, change } of listBalanceChanges(store)) {
    if (kind === 'renewal') payments.startPeriod(subject)
    if (kind === 'credit') promotional += change
    else if (kind === 'refund_returned' || kind === 'recovered' || (kind === 'refund' && change < 0))
      collected += change
    else if (change < 0) {
      const used = Math.min(promotional, 0 - change)
      promotional -= used
      collected += change + used
      payments.add(subject, at, used)
    } else {
      const returned = payments.reclaim(subject, at, change)
      promotional += returned
      collected += change - returned
    }
  }
  return { collected, promotional }
}

const listBalanceChanges = ({ sql }: LedgerStore): BalanceChange[] =>
  sql
    .exec<{ kind: string; subject: string; at: number; change: number }>(
      `SELECT entries.kind, entries.at, coalesce(json_extract(body, '$.subscription_id'), subject) AS subject,
         coalesce(change, 0) AS change
       FROM entries
         LEFT JOIN (SELECT entry_id, 0 - sum(cents) AS change FROM postings WHERE account = 'balance' GROUP BY entry_id)
           USING (entry_id)
         LEFT JOIN records ON records.kind = 'order' AND records.id = subject
       WHERE entries.kind IN ${ENTRY_KINDS} ORDER BY entry_id`,
    )
    .toArray()
