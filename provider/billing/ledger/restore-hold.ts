import type { GatewayCharge } from '../payment/gateway-interface.ts'
import type { BillingService } from './billing-service.ts'
import type { LedgerContext } from './ledger-context.ts'
import type { LedgerStore } from './ledger-store.ts'
import { acknowledge, listOutbox } from './outbox.ts'
import { putCharge } from './pending-charges.ts'
import { turnNotificationsOn } from './test-clock.ts'

/** Gateways store times in seconds, so a charge can seem to be earlier than the renewal that it paid. */
const GATEWAY_TIME_STEP_MS = 1000

/** Charges of the payment gateway that a restored ledger lacks. */
export interface MissingCharges {
  readonly unknown: readonly GatewayCharge[]
  /** Keys of charges that were in progress during the backup and that the gateway has collected since. */
  readonly interrupted: readonly string[]
}

/**
 * Books the charges that a restored ledger lacks, and ends its hold. Unknown charges are credited to the balance, which
 * then pays the renewals that they paid before the restore. Sends no notifications about this time. Safe to repeat
 * after an interruption.
 */
export async function settleRestoredLedger(
  ctx: LedgerContext,
  billing: Pick<BillingService, 'runDue'>,
  { unknown, interrupted }: MissingCharges,
  now: number,
): Promise<void> {
  const { book } = ctx
  // Notifications that waited during the backup were probably sent after it.
  acknowledge(
    book,
    listOutbox(book).filter(({ kind }) => kind === 'message'),
  )
  book.transaction(() => {
    book.setCounter('quiet', 1)
    for (const charge of unknown) creditCharge(ctx, charge)
    for (const key of interrupted) resumeCharge(book, key, now)
  })
  for (const time of listCreditTimes(book)) if (time < now) await billing.runDue(time)
  await billing.runDue(now)
  book.transaction(() => {
    book.setCounter('held', 0)
    turnNotificationsOn(book, now)
  })
}

function creditCharge({ book, newId }: LedgerContext, charge: GatewayCharge): void {
  const { key, cents, currency, refunded, at } = charge
  if (book.get('charge', key) !== null) return
  const entry = book.addEntry('recovered', key, at, [
    ['cash', cents - refunded],
    ['balance', refunded - cents],
  ])
  putCharge(book, {
    charge_id: key,
    intent: `recovered ${key}`,
    state: 'booked',
    begun_at: at,
    asked_at: at,
    cents,
    currency,
    token: '',
    method_id: '',
    heard: true,
    parked: false,
    stuck: false,
    charge: charge.charge,
    job: { kind: 'recovered' },
    declined: null,
  })
  if (refunded === 0) return
  const refund_id = newId('refund')
  const refund = { refund_id, charge_id: key, cents: refunded, at, bill: '', state: 'sent', attempt: 1 } as const
  book.put(entry, 'refund', refund_id, refund)
}

/** The gateway has collected the charge, so the ledger must book it, even if its buyer saw a failure. */
function resumeCharge(book: LedgerStore, key: string, now: number): void {
  const charge = book.get('charge', key)
  if (charge) putCharge(book, { ...charge, parked: false, begun_at: now, asked_at: 0 })
}

const listCreditTimes = (book: LedgerStore): number[] =>
  book
    .listRecords('charge')
    .filter(({ job }) => job.kind === 'recovered')
    .map(({ begun_at }) => begun_at + GATEWAY_TIME_STEP_MS)
    .sort((a, b) => a - b)
