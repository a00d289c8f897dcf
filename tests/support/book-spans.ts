import { expect } from 'vitest'
import type { MoneyLine } from '../../contract/billing/purchase.ts'
import type { LedgerStore } from '../../provider/billing/ledger/ledger-store.ts'
import type { SubscriptionRecord } from '../../provider/billing/ledger/record-schemas.ts'
import { computeUnusedCents } from '../../provider/billing/pricing/proration.ts'

interface SubscriptionVersion {
  readonly entry: number
  readonly kind: string
  readonly at: number
  readonly one: SubscriptionRecord
}

/** Returns all recorded versions of a subscription, oldest first. Uses only the ledger's journal. */
function listSubscriptionVersions(book: LedgerStore, id: string): SubscriptionVersion[] {
  const rows = book.sql
    .exec<{ entry: number; kind: string; at: number; body: string }>(
      `SELECT entries.entry_id AS entry, entries.kind AS kind, at, body FROM images JOIN entries USING (entry_id)
       WHERE images.kind = 'subscription' AND id = ? ORDER BY image_id`,
      id,
    )
    .toArray()
  return rows.map(({ body, ...version }) => ({ ...version, one: JSON.parse(body) as SubscriptionRecord }))
}

/** Recomputes the value of the unused time at `now`, in cents. The subscription may be paused or canceled. */
function computeUnusedCentsAt({ status, paid, from, until, paused, leaving }: SubscriptionRecord, now: number): number {
  if (status === 'trial' || status === 'past_due') return 0
  const end = leaving?.until ?? until
  const remainingPauseMs = paused ? Math.max(0, paused.until - now) : 0
  return computeUnusedCents({ paid, from: from - remainingPauseMs, until: end - remainingPauseMs }, now)
}

const findLine = (book: LedgerStore, entry: number, kind: MoneyLine['kind']): MoneyLine | undefined => {
  const bodies = book.sql
    .exec<{ body: string }>("SELECT body FROM images WHERE entry_id = ? AND kind = 'invoice'", entry)
    .toArray()
  const lines = bodies.flatMap(({ body }) => (JSON.parse(body) as { lines: MoneyLine[] }).lines)
  return lines.find((line) => line.kind === kind)
}

type AssertDateChange = (before: SubscriptionRecord, version: SubscriptionVersion, book: LedgerStore) => void
const assertNextPeriod: AssertDateChange = (before, { one: subscription }) => {
  expect([subscription.from, subscription.until > subscription.from]).toEqual([before.until, true])
}

/**
 * Assertions about how a ledger entry changes the dates of its subscription, by entry kind. Kinds that are not listed
 * have no assertion.
 */
const DATE_ASSERTIONS_BY_ENTRY_KIND: Readonly<Record<string, AssertDateChange>> = {
  renewal: assertNextPeriod,
  waived: (before, version, book) => {
    assertNextPeriod(before, version, book)
    // The new period had already ended when the renewal was processed, so it was not charged.
    expect([version.one.until <= version.at, version.one.paid]).toEqual([true, 0])
  },
  declined: (before, { one: subscription }) => {
    expect([subscription.from, subscription.until]).toEqual([before.from, before.until])
  },
  paused: (before, { one: subscription, at }) => {
    const pauseMs = (subscription.paused?.until ?? 0) - at
    expect([subscription.from, subscription.until]).toEqual([before.from + pauseMs, before.until + pauseMs])
  },
  resumed: (before, { one: subscription, at }) => {
    const remainingPauseMs = Math.max(0, (before.paused?.until ?? 0) - at)
    expect([subscription.from, subscription.until, subscription.paused]).toEqual([
      before.from - remainingPauseMs,
      before.until - remainingPauseMs,
      null,
    ])
  },
  extension: (before, { one: subscription }) => {
    expect(subscription.until).toBe(before.until + 7 * 86_400_000)
  },
  cancelled: (before, { one: subscription, at }) => {
    const remainingPauseMs = before.paused ? Math.max(0, before.paused.until - at) : 0
    expect(subscription.leaving?.until).toBe(before.until - remainingPauseMs)
    expect(subscription.until).toBeLessThanOrEqual(before.until - remainingPauseMs)
  },
  undone: (before, { one: subscription }) => {
    expect([subscription.until, subscription.leaving]).toEqual([before.leaving?.until, null])
  },
  end: (before, { one: subscription, at }) => {
    expect([subscription.over, subscription.until <= Math.max(at, before.until)]).toEqual([true, true])
  },
  purchase: (before, { one: subscription, entry }, book) => {
    const plan = findLine(book, entry, 'plan')
    if (!plan) return
    expect([subscription.from, subscription.until]).toEqual([plan.from, plan.to])
    expect(0 - (findLine(book, entry, 'unused')?.amount ?? 0)).toBe(computeUnusedCentsAt(before, plan.from))
  },
}

/**
 * Asserts that each entry changes the dates of its subscription as `DATE_ASSERTIONS_BY_ENTRY_KIND` requires, and that
 * the end of an ended subscription never changes.
 */
export function assertSubscriptionDates(book: LedgerStore): void {
  for (const { subscription_id } of book.listRecords('subscription')) {
    const versions = listSubscriptionVersions(book, subscription_id)
    for (const [n, version] of versions.entries()) {
      const before = versions[n - 1]?.one
      if (before) DATE_ASSERTIONS_BY_ENTRY_KIND[version.kind]?.(before, version, book)
      if (before?.over) expect(version.one.until).toBe(before.until)
    }
  }
}
