import type { Difference } from '../../../contract/operator/reconciliation.ts'
import type { Audit, BookedCharge } from '../ledger/reconciliation-snapshot.ts'
import type { GatewayCharge } from '../payment/gateway-interface.ts'

/** Rows of D1 of an account. */
export interface Projected {
  readonly subscriptions: readonly Record<string, unknown>[]
  readonly bindings: readonly { readonly device_id: string; readonly subscription_id: string }[]
  /** Cameras of its homes: only these are bound. */
  readonly cameras: ReadonlySet<string>
}

/** Everything in which book, gateway and projection of an account differ; none: every cent is where it should be. */
export function differencesOf(audit: Audit, charges: readonly GatewayCharge[], projected: Projected): Difference[] {
  return [...ofGateway(audit.charges, charges), ...ofBook(audit), ...ofProjection(audit, projected)]
}

const isCollected = ({ state }: BookedCharge) => state === 'captured' || state === 'booked'

function ofGateway(booked: readonly BookedCharge[], charges: readonly GatewayCharge[]): Difference[] {
  const own = new Map(booked.map((one) => [one.key, one]))
  const theirs = new Map(charges.map((one) => [one.key, one]))
  const say = (what: string, book: number | null, other: number | null): Difference => ({
    ...{ where: 'gateway', what, book, other },
  })
  return [
    ...charges.flatMap(({ key, charge, cents, currency, refunded }) => {
      const known = own.get(key)
      const what = `charge ${key} (${charge})`
      if (known === undefined || !isCollected(known)) return [say(what, null, cents)]
      const isOther = known.charge !== charge || known.cents !== cents
      const currencies = `${what}: ${known.currency} in the ledger, ${currency} at the gateway`
      return [
        ...(currency === known.currency ? [] : [say(currencies, null, null)]),
        ...(isOther ? [say(what, known.cents, cents)] : []),
        ...(refunded === known.refunded ? [] : [say(`refunds of charge ${key} (${charge})`, known.refunded, refunded)]),
      ]
    }),
    ...booked
      .filter((one) => isCollected(one) && !theirs.has(one.key))
      .map(({ key, charge, cents }) => say(`charge ${key} (${charge ?? 'without a name'})`, cents, null)),
  ]
}

function ofBook({ charges, crooked, currency, isOfOtherCurrency, postponed, sums, strayed }: Audit): Difference[] {
  const where = 'book'
  const isOther = (of: string) => of !== currency
  const say = (what: string): Difference => ({ where, what, book: null, other: null })
  return [
    ...(isOfOtherCurrency ? [say(`the ledger is in ${currency}, and CURRENCY is another one`)] : []),
    ...charges
      .filter((one) => isOther(one.currency))
      .map((one) => say(`charge ${one.key} is in ${one.currency}, the ledger in ${currency}`)),
    ...charges
      .filter(({ stuck }) => stuck)
      .map(({ key, state, cents }) => {
        const [what, other] = state === 'captured' ? ['is not booked', cents] : ['is not declined', 0]
        return { where, what: `charge ${key} ${what}`, book: 0, other } as const
      }),
    ...postponed.map(
      (id) => ({ where, what: `subscription ${id}: what is due of it is put off`, book: null, other: null }) as const,
    ),
    ...crooked.map(
      ({ entry, cents }) => ({ where, what: `postings of entry ${entry}`, book: cents, other: 0 }) as const,
    ),
    ...sums
      .filter(({ posted, told }) => posted !== told)
      .map(({ what, posted, told }) => ({ where, what, book: posted, other: told }) as const),
    ...strayed.map((what) => ({ where, what: `${what}: not as the journal has it`, book: null, other: null }) as const),
  ]
}

const AMOUNTS: readonly string[] = ['next_total']

function ofProjection(audit: Audit, { subscriptions, bindings, cameras }: Projected): Difference[] {
  const say = (what: string, book: unknown = null, other: unknown = null): Difference => ({
    ...{ where: 'projection', what },
    ...{ book: typeof book === 'number' ? book : null, other: typeof other === 'number' ? other : null },
  })
  const rows = new Map(subscriptions.map((row) => [row['subscription_id'], row]))
  const ids = new Set(audit.subscriptions.map((row) => row['subscription_id']))
  const bound = (of: Audit['bindings']) => new Set(of.map((one) => `${one.device_id} to ${one.subscription_id}`))
  const isOwn = ({ device_id }: { device_id: string }) => cameras.has(device_id)
  const [wanted, there] = [bound(audit.bindings.filter(isOwn)), bound(bindings)]
  return [
    ...audit.subscriptions.flatMap((row) => {
      const found = rows.get(row['subscription_id'])
      const of = `of subscription ${String(row['subscription_id'])}`
      if (!found) return [say(`the row ${of} is missing`)]
      return Object.entries(row).flatMap(([name, value]) => {
        if (found[name] === value) return []
        const words = `${name} ${of}: ${String(value)} in the book, ${String(found[name])} in the row`
        return [AMOUNTS.includes(name) ? say(words, value, found[name]) : say(words)]
      })
    }),
    ...[...rows.keys()]
      .filter((id) => !ids.has(String(id)))
      .map((id) => say(`the row of subscription ${String(id)}, which no book has`)),
    ...[...wanted].filter((one) => !there.has(one)).map((one) => say(`the licence of ${one} is missing`)),
    ...[...there].filter((one) => !wanted.has(one)).map((one) => say(`the licence of ${one}, which no book has`)),
  ]
}
