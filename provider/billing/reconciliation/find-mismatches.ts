import type { LedgerMismatch } from '../../../contract/operator/reconciliation.ts'
import type { ReconciliationSnapshot, LedgerCharge } from '../ledger/reconciliation-snapshot.ts'
import type { GatewayCharge } from '../payment/gateway-interface.ts'

export interface ProjectionRows {
  readonly subscriptions: readonly Record<string, unknown>[]
  readonly bindings: readonly { readonly device_id: string; readonly subscription_id: string }[]
  /** Cameras of the homes that the account owns. The projection has license assignments only for these cameras. */
  readonly cameras: ReadonlySet<string>
}

/** Returns every mismatch between ledger, payment gateway and projection of an account. */
export function findMismatches(
  snapshot: ReconciliationSnapshot,
  charges: readonly GatewayCharge[],
  projected: ProjectionRows,
): LedgerMismatch[] {
  return [
    ...findGatewayMismatches(snapshot.charges, charges),
    ...findLedgerMismatches(snapshot),
    ...findProjectionMismatches(snapshot, projected),
  ]
}

const isCollected = ({ state }: LedgerCharge) => state === 'captured' || state === 'booked'

/** Returns every mismatch between the charges of a ledger and those of the payment gateway. */
export function findGatewayMismatches(
  ledgerCharges: readonly LedgerCharge[],
  charges: readonly GatewayCharge[],
): LedgerMismatch[] {
  const ledgerChargeByKey = new Map(ledgerCharges.map((charge) => [charge.key, charge]))
  const gatewayChargeByKey = new Map(charges.map((charge) => [charge.key, charge]))
  const createMismatch = (subject: string, book: number | null, other: number | null): LedgerMismatch => ({
    where: 'gateway',
    what: subject,
    book,
    other,
  })
  return [
    ...charges.flatMap(({ key, charge, cents, currency, refunded }) => {
      const bookedCharge = ledgerChargeByKey.get(key)
      const label = `charge ${key} (${charge})`
      if (bookedCharge === undefined || !isCollected(bookedCharge)) return [createMismatch(label, null, cents)]
      const isOther = bookedCharge.charge !== charge || bookedCharge.cents !== cents
      const currencies = `${label}: ${bookedCharge.currency} in the ledger, ${currency} at the gateway`
      return [
        ...(currency === bookedCharge.currency ? [] : [createMismatch(currencies, null, null)]),
        ...(isOther ? [createMismatch(label, bookedCharge.cents, cents)] : []),
        ...(refunded === bookedCharge.refunded
          ? []
          : [createMismatch(`refunds of charge ${key} (${charge})`, bookedCharge.refunded, refunded)]),
      ]
    }),
    ...ledgerCharges
      .filter((charge) => isCollected(charge) && !gatewayChargeByKey.has(charge.key))
      .map(({ key, charge, cents }) => createMismatch(`charge ${key} (${charge ?? 'no charge ID'})`, cents, null)),
  ]
}

function findLedgerMismatches({
  charges,
  crooked,
  currency,
  isOfOtherCurrency,
  postponed,
  sums,
  strayed,
}: ReconciliationSnapshot): LedgerMismatch[] {
  const where = 'book'
  const isOtherCurrency = (of: string) => of !== currency
  const createMismatch = (subject: string): LedgerMismatch => ({ where, what: subject, book: null, other: null })
  return [
    ...(isOfOtherCurrency
      ? [createMismatch(`the ledger is in ${currency}, but CURRENCY is set to another currency`)]
      : []),
    ...charges
      .filter((charge) => isOtherCurrency(charge.currency))
      .map((charge) =>
        createMismatch(`charge ${charge.key} is in ${charge.currency}, but the ledger is in ${currency}`),
      ),
    ...charges
      .filter(({ stuck }) => stuck)
      .map(({ key, state, cents }) => {
        const [problem, other] = state === 'captured' ? ["isn't booked", cents] : ["isn't booked as declined", 0]
        return { where, what: `charge ${key} ${problem}`, book: 0, other } as const
      }),
    ...postponed.map(
      (id) =>
        ({ where, what: `subscription ${id} is due, but processing was postponed`, book: null, other: null }) as const,
    ),
    ...crooked.map(
      ({ entry, cents }) => ({ where, what: `postings of entry ${entry}`, book: cents, other: 0 }) as const,
    ),
    ...sums
      .filter(({ posted, told: expected }) => posted !== expected)
      .map(
        ({ what: subject, posted, told: expected }) =>
          ({ where, what: subject, book: posted, other: expected }) as const,
      ),
    ...strayed.map(
      (subject) => ({ where, what: `${subject} differs from the journal`, book: null, other: null }) as const,
    ),
  ]
}

const AMOUNT_COLUMNS: readonly string[] = ['next_total']

function findProjectionMismatches(
  snapshot: ReconciliationSnapshot,
  { subscriptions, bindings, cameras }: ProjectionRows,
): LedgerMismatch[] {
  const createMismatch = (subject: string, book: unknown = null, other: unknown = null): LedgerMismatch => ({
    where: 'projection',
    what: subject,
    book: typeof book === 'number' ? book : null,
    other: typeof other === 'number' ? other : null,
  })
  const rows = new Map(subscriptions.map((row) => [row['subscription_id'], row]))
  const ids = new Set(snapshot.subscriptions.map((row) => row['subscription_id']))
  const toAssignmentLabels = (of: ReconciliationSnapshot['bindings']) =>
    new Set(of.map((binding) => `${binding.device_id} to ${binding.subscription_id}`))
  const isOwn = ({ device_id }: { device_id: string }) => cameras.has(device_id)
  const [expected, actual] = [toAssignmentLabels(snapshot.bindings.filter(isOwn)), toAssignmentLabels(bindings)]
  return [
    ...snapshot.subscriptions.flatMap((row) => {
      const found = rows.get(row['subscription_id'])
      const of = `for subscription ${String(row['subscription_id'])}`
      if (!found) return [createMismatch(`the row ${of} is missing`)]
      return Object.entries(row).flatMap(([name, value]) => {
        if (found[name] === value) return []
        const words = `${name} ${of}: ${String(value)} in the ledger, ${String(found[name])} in the row`
        return [AMOUNT_COLUMNS.includes(name) ? createMismatch(words, value, found[name]) : createMismatch(words)]
      })
    }),
    ...[...rows.keys()]
      .filter((id) => !ids.has(String(id)))
      .map((id) => createMismatch(`subscription ${String(id)} has a row but isn't in any ledger`)),
    ...[...expected]
      .filter((binding) => !actual.has(binding))
      .map((binding) => createMismatch(`the license assignment of ${binding} is missing`)),
    ...[...actual]
      .filter((binding) => !expected.has(binding))
      .map((binding) => createMismatch(`the license assignment of ${binding} isn't in any ledger`)),
  ]
}
