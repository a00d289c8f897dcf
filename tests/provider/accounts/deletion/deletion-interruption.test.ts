import { afterEach, beforeEach, expect, test } from 'vitest'
import { film } from '../../../support/full-account.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { dumpDatabase, dumpObject, isTombstone, objectKeys } from '../../../support/stored.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const B = { userId: 'user_b', email: 'b@example.com' }
const OF_B = /user_b|b@example\.com|home_b|door_b|bridge_b/

let town: Neighborhood
beforeEach(async () => {
  town = await openNeighborhood()
  await film(town.b, 'door_b', 'event_b')
  await film(town.a, 'door_a', 'event_a')
})
afterEach(() => town.close())

const leave = () => town.bindings.LEAVES.getByName(B.userId)
const due = (at: number) =>
  town.bindings.DB.prepare('UPDATE accounts SET leaves_at = ? WHERE user_id = ?').bind(at, B.userId).run()
const findRows = (tables: Readonly<Record<string, readonly string[]>>) =>
  Object.values(tables)
    .flat()
    .filter((row) => OF_B.test(row) && !isTombstone(row))
const left = async () => findRows(await dumpDatabase(town.bindings))
/** Rows of the account except notifications: the account gets a new one when its plan ends, before the deletion. */
const owned = async () => findRows({ ...(await dumpDatabase(town.bindings)), messages: [] })
const events = async () => (await dumpObject(town.stage, 'HOMES', 'home_b'))['events'] ?? []
/** Makes the database reject deletions from a table, as if the process ended there. */
const cutAt = (table: string) =>
  town.bindings.DB.exec(`CREATE TRIGGER cut BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'cut'); END`)
const removeTrigger = () => town.bindings.DB.exec('DROP TRIGGER cut')

test('a deletion interrupted before its rows are gone has deleted nothing, and resumes', async () => {
  const now = Date.now()
  await due(now)
  await leave().await(B, now + 10 * MINUTE_MS)
  const before = await owned()
  await cutAt('homes')
  await expect(leave().processDue(now)).rejects.toThrow()
  expect((await owned()).length).toBe(before.length)
  expect(await events()).toHaveLength(1)
  await removeTrigger()
  await leave().processDue(now + MINUTE_MS)
  expect([await left(), await events(), await objectKeys(town.bindings, 'h/home_b/')]).toEqual([[], [], []])
})

test('a deletion interrupted before the account itself is gone remembers the remaining work, and resumes', async () => {
  const now = Date.now()
  await due(now)
  await leave().await(B, now + 10 * MINUTE_MS)
  await cutAt('accounts')
  await expect(leave().processDue(now)).rejects.toThrow()
  expect(await left()).toEqual([expect.stringContaining('b@example.com')])
  // Simulates an upload after the first pass, with an upload grant that was still valid.
  await town.bindings.MEDIA.put('h/home_b/clip/late.mp4', 'late')
  await removeTrigger()
  await leave().processDue(now + MINUTE_MS)
  expect([await left(), await objectKeys(town.bindings, 'h/home_b/')]).toEqual([[], []])
})

test('a second pass deletes data that was in flight during the deletion, and then no record remains', async () => {
  const now = Date.now()
  await due(now)
  await leave().remove(B, now)
  expect(await left()).toEqual([])
  await town.bindings.MEDIA.put('h/home_b/clip/late.mp4', 'late')
  await town.bindings.ACTIVITY.getByName('home:home_b').add({ kind: 'bridge-added', who: 'user_b' }, null, now)
  await leave().processDue(now + 19 * MINUTE_MS)
  expect(await objectKeys(town.bindings, 'h/home_b/')).toHaveLength(1)
  await leave().processDue(now + 21 * MINUTE_MS)
  expect(await objectKeys(town.bindings, 'h/home_b/')).toEqual([])
  expect(Object.values(await dumpObject(town.stage, 'ACTIVITY', 'home:home_b')).flat()).toEqual([])
  expect(Object.values(await dumpObject(town.stage, 'LEAVES', 'user_b')).flat()).toEqual([])
  expect(await objectKeys(town.bindings, 'h/home_a/')).toHaveLength(3)
})

test('an account whose deletion was undone is untouched, and nothing stays pending for it', async () => {
  const now = Date.now()
  await leave().await(B, now + 10 * MINUTE_MS)
  const before = await left()
  await leave().processDue(now + 31 * 86_400_000)
  expect(await left()).toEqual(before)
  expect(Object.values(await dumpObject(town.stage, 'LEAVES', 'user_b')).flat()).toEqual([])
})
