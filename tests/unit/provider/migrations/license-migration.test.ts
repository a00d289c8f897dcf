import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'

const MIGRATIONS_FOLDER = 'provider/migrations'
const LICENSE_MIGRATION = '0008_licences.sql'
const FAR_FUTURE_MS = 9_000_000_000_000

function openOldDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const name of readdirSync(MIGRATIONS_FOLDER).toSorted()) {
    if (name < LICENSE_MIGRATION) db.exec(readFileSync(`${MIGRATIONS_FOLDER}/${name}`, 'utf8'))
  }
  return db
}
const migrate = (db: DatabaseSync) => db.exec(readFileSync(`${MIGRATIONS_FOLDER}/${LICENSE_MIGRATION}`, 'utf8'))

function addHome(db: DatabaseSync, name: string, cameras: readonly string[]) {
  db.prepare("INSERT INTO accounts VALUES (?1, ?1, '-', 0, 0, NULL)").run(name)
  db.prepare('INSERT INTO homes VALUES (?1, ?1, 0, 0)').run(name)
  db.prepare('INSERT INTO home_members VALUES (?1, ?1, 1)').run(name)
  db.prepare("INSERT INTO bridges VALUES (?1, '', '', 0, NULL)").run(name)
  for (const id of cameras) db.prepare('INSERT INTO devices VALUES (?1, ?2, ?2)').run(id, name)
}
function addSubscription(db: DatabaseSync, id: string, userId: string, sku: string, quantity: number, change = {}) {
  const { status, renews_at } = { status: 'active', renews_at: 0, ...change }
  db.prepare("INSERT INTO subscriptions VALUES (?, ?, ?, ?, ?, 'annual', 'embedded', ?, 0)").run(
    ...([id, userId, sku, status, quantity, renews_at] as const),
  )
}
const listBindings = (db: DatabaseSync) =>
  Object.fromEntries(
    db
      .prepare('SELECT device_id, subscription_id FROM bindings')
      .all()
      .map((row) => [row['device_id'], row['subscription_id']]),
  )

test('unassigned licenses get the cameras of their owner, oldest first, up to their quantity', () => {
  const db = openOldDatabase()
  addHome(db, 'one', ['z', 'a', 'm'])
  addHome(db, 'two', ['b', 'c', 'd', 'e'])
  addSubscription(db, 'single', 'one', 'cam-ai', 1)
  addSubscription(db, 's1', 'two', 'cam-ai', 1)
  addSubscription(db, 's2', 'two', 'cam-ai', 2, { status: 'cancelled', renews_at: FAR_FUTURE_MS })
  addSubscription(db, 'ended', 'two', 'cam-ai', 9, { status: 'cancelled' })
  addSubscription(db, 'whole', 'two', 'unlimited', 1)
  migrate(db)
  expect(listBindings(db)).toEqual({ z: 'single', b: 's1', c: 's2', d: 's2' })
})

test('existing assignments remain, and OPEN-146 billing by `embedded` becomes `card`', () => {
  const db = openOldDatabase()
  addHome(db, 'one', ['a', 'b', 'c'])
  addSubscription(db, 'used', 'one', 'cam-ai', 2)
  addSubscription(db, 'fresh', 'one', 'cam-ai', 5)
  db.exec("INSERT INTO bindings VALUES ('b', 'used', 1)")
  migrate(db)
  expect(listBindings(db)).toEqual({ b: 'used', a: 'fresh', c: 'fresh' })
  const providers = db.prepare('SELECT DISTINCT billing_provider FROM subscriptions').all()
  expect(providers).toEqual([{ billing_provider: 'card' }])
})
