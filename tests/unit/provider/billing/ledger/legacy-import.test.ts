import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { importSubscriptions, type LegacyLicense } from '../../../../../provider/billing/ledger/legacy-import.ts'
import type { ImportedSubscription } from '../../../../../provider/billing/ledger/ledger-calls.ts'
import { listOutbox, type OutboxEntry } from '../../../../../provider/billing/ledger/outbox.ts'
import { buildProjection, type SqlStatement } from '../../../../../provider/billing/ledger/projection.ts'
import { LEGACY_LICENSES_SQL, LEGACY_SUBSCRIPTIONS_SQL } from '../../../../../provider/billing/ledger/legacy-rows.ts'
import { putSubscription } from '../../../../../provider/billing/ledger/subscription-rules.ts'
import { openTestLedger } from '../../../../support/book.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const MIGRATIONS_FOLDER = 'provider/migrations'
const LEDGER_MIGRATION = '0014_ledger.sql'
const NOW = Date.UTC(2026, 10, 22, 9, 41)

function openMigratedDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  const names = readdirSync(MIGRATIONS_FOLDER).toSorted()
  for (const name of names.filter((fileName) => fileName < LEDGER_MIGRATION))
    db.exec(readFileSync(`${MIGRATIONS_FOLDER}/${name}`, 'utf8'))
  db.exec(`INSERT INTO accounts (user_id, email, password_hash, created_at) VALUES ('user_a', 'a@example.com', '-', 0)`)
  db.exec(`INSERT INTO homes (home_id, name, demo, created_at) VALUES ('home', 'Home', 0, 0)`)
  db.exec(`INSERT INTO bridges (bridge_id, key_hash, name, created_at) VALUES ('bridge', '', '', 0)`)
  db.exec(`INSERT INTO home_members (home_id, user_id, role) VALUES ('home', 'user_a', 1)`)
  for (const id of ['door', 'yard']) db.exec(`INSERT INTO devices VALUES ('${id}', 'home', 'bridge')`)
  const add = db.prepare(
    `INSERT INTO subscriptions (subscription_id, user_id, sku, status, quantity, period, billing_provider, renews_at, created_at)
     VALUES (?, 'user_a', ?, ?, ?, 'annual', ?, ?, 77)`,
  )
  add.run('old_t1', 'cam-ai', 'active', 2, 'embedded', NOW + 100 * DAY_MS)
  add.run('old_hms', 'hms', 'cancelled', 1, 'recurring', NOW - DAY_MS)
  db.exec("INSERT INTO bindings VALUES ('yard', 'old_t1', 5)")
  for (const name of names.filter((fileName) => fileName >= LEDGER_MIGRATION))
    db.exec(readFileSync(`${MIGRATIONS_FOLDER}/${name}`, 'utf8'))
  return db
}

const runStatements = (db: DatabaseSync, statements: readonly SqlStatement[]) => {
  for (const { sql, values } of statements) db.prepare(sql).run(...values)
}
const listSubscriptions = (db: DatabaseSync) =>
  db
    .prepare('SELECT * FROM subscriptions ORDER BY subscription_id')
    .all()
    .map((row) => ({ ...row }))
const listBindings = (db: DatabaseSync) =>
  db
    .prepare('SELECT device_id, subscription_id FROM bindings ORDER BY device_id')
    .all()
    .map((row) => Object.values(row))

function importLegacyRows(db: DatabaseSync) {
  const testLedger = openTestLedger()
  const openings = db.prepare(LEGACY_SUBSCRIPTIONS_SQL).all('user_a') as unknown as ImportedSubscription[]
  const licenses = db.prepare(LEGACY_LICENSES_SQL).all('user_a') as unknown as LegacyLicense[]
  testLedger.book.transaction(() => importSubscriptions(testLedger.context, openings, licenses, NOW))
  const applyMessage = (message: OutboxEntry) => runStatements(db, buildProjection(testLedger.book, message, 825))
  return { ...testLedger, applyMessage }
}

test('OPEN-146 legacy rows have a channel, a start and a billing provider, and no ledger wrote them', () => {
  const [hms, t1] = listSubscriptions(openMigratedDatabase())
  const sharedFields = { channel: 'web', since: 77, revision: 0, seq: 0, scheduled: null, next_at: null }
  expect([hms, t1]).toMatchObject([
    { ...sharedFields, billing_provider: 'recurring' },
    { ...sharedFields, billing_provider: 'card' },
  ])
})

test('legacy rows become opening entries, and their projection equals the old rows', () => {
  const db = openMigratedDatabase()
  const before = listSubscriptions(db)
  const { book, applyMessage } = importLegacyRows(db)
  const kinds = book.sql.exec<{ kind: string }>('SELECT kind FROM entries ORDER BY entry_id').toArray()
  expect(kinds.map(({ kind }) => kind)).toEqual(['method', 'opening', 'opening', 'bind'])
  for (const message of listOutbox(book)) applyMessage(message)
  const after = listSubscriptions(db)
  for (const [n, row] of before.entries()) expect({ ...after[n], seq: 0, next_at: null, next_total: null }).toEqual(row)
  expect(after[1]).toMatchObject({ next_at: NOW + 100 * DAY_MS, next_total: 5998 + 495 })
  expect(listBindings(db)).toEqual([['yard', 'old_t1']])
  expect(db.prepare(LEGACY_SUBSCRIPTIONS_SQL).all('user_a')).toEqual([])
})

test('an older sequence number never overwrites a newer one, regardless of order and repetition', () => {
  const db = openMigratedDatabase()
  const { book, applyMessage } = importLegacyRows(db)
  const [older] = listOutbox(book)
  const subscription = book.get('subscription', 'old_t1')
  if (!subscription || !older) throw new Error('No legacy row was imported.')
  const olderStatements = buildProjection(book, older, 825)
  book.transaction(() => {
    const entry = book.addEntry('test', 'old_t1', NOW)
    putSubscription(book, entry, { ...subscription, quantity: 9, revision: 1 })
    book.deleteRecord(entry, 'licence', 'yard')
    book.put(entry, 'licence', 'door', { device_id: 'door', subscription_id: 'old_t1', bound_at: 6 })
  })
  const newest = listOutbox(book).at(-1)
  if (!newest) throw new Error('The outbox is empty.')
  for (let n = 0; n < 3; n += 1) {
    applyMessage(newest)
    runStatements(db, olderStatements)
  }
  expect(listSubscriptions(db)[1]).toMatchObject({ quantity: 9, revision: 1, seq: newest.seq })
  expect(listBindings(db)).toEqual([['door', 'old_t1']])
})

test('a license covers no camera of a home that the account does not own', () => {
  const db = openMigratedDatabase()
  const { book, applyMessage } = importLegacyRows(db)
  db.exec('DELETE FROM bindings; DELETE FROM home_members')
  for (const message of listOutbox(book)) applyMessage(message)
  expect(listBindings(db)).toEqual([])
})

test('the projection writes nothing for a deleted account', () => {
  const db = openMigratedDatabase()
  const { book, applyMessage } = importLegacyRows(db)
  for (const table of ['bindings', 'subscriptions', 'accounts']) db.exec(`DELETE FROM ${table}`)
  for (const message of listOutbox(book)) applyMessage(message)
  expect(listSubscriptions(db)).toEqual([])
})

test('a used coupon overwrites its hold', () => {
  const db = openMigratedDatabase()
  const { applyMessage } = importLegacyRows(db)
  db.exec("INSERT INTO coupon_holds VALUES ('lake', 'user_a', 'one', 'held', 5)")
  const used = { kind: 'coupon', code: 'LAKE', intent: 'two', seq: 1 } as const
  applyMessage(used)
  applyMessage(used)
  expect(
    db
      .prepare('SELECT code, intent, state FROM coupon_holds')
      .all()
      .map((row) => Object.values(row)),
  ).toEqual([['lake', 'two', 'used']])
})
