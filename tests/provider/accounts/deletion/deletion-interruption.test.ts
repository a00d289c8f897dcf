import { afterEach, beforeEach, expect, test } from 'vitest'
import { addCameraWithEvent } from '../../../support/full-account.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { dumpDatabase, dumpObject, isRevokedBridgeRow, listMediaKeys } from '../../../support/stored.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

const ACCOUNT_B = { userId: 'user_b', email: 'b@example.com' }
const ACCOUNT_B_ROW_PATTERN = /user_b|b@example\.com|home_b|door_b|bridge_b/

let neighborhood: Neighborhood
beforeEach(async () => {
  neighborhood = await openNeighborhood()
  await addCameraWithEvent(neighborhood.b, 'door_b', 'event_b')
  await addCameraWithEvent(neighborhood.a, 'door_a', 'event_a')
})
afterEach(() => neighborhood.close())

const getLeaveObject = () => neighborhood.bindings.LEAVES.getByName(ACCOUNT_B.userId)
const scheduleDeletion = (at: number) =>
  neighborhood.bindings.DB.prepare('UPDATE accounts SET leaves_at = ? WHERE user_id = ?')
    .bind(at, ACCOUNT_B.userId)
    .run()
const findRows = (tables: Readonly<Record<string, readonly string[]>>) =>
  Object.values(tables)
    .flat()
    .filter((row) => ACCOUNT_B_ROW_PATTERN.test(row) && !isRevokedBridgeRow(row))
const listRemainingRows = async () => findRows(await dumpDatabase(neighborhood.bindings))
/**
 * Returns the database rows of account b except notifications and tombstones of removed bridges. The provider adds a
 * notification when it ends the plan, which happens before the deletion.
 */
const listOwnedRows = async () => findRows({ ...(await dumpDatabase(neighborhood.bindings)), messages: [] })
const readEvents = async () => (await dumpObject(neighborhood.stage, 'HOMES', 'home_b'))['events'] ?? []
/** Makes the database reject deletions from a table, as if the process ended there. */
const rejectDeletionsFrom = (table: string) =>
  neighborhood.bindings.DB.exec(`CREATE TRIGGER cut BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'cut'); END`)
const removeTrigger = () => neighborhood.bindings.DB.exec('DROP TRIGGER cut')

test('a deletion interrupted before its rows are gone has deleted nothing, and resumes', async () => {
  const now = Date.now()
  await scheduleDeletion(now)
  await getLeaveObject().scheduleCheck(ACCOUNT_B, now + 10 * MINUTE_MS)
  const before = await listOwnedRows()
  await rejectDeletionsFrom('homes')
  await expect(getLeaveObject().processDue(now)).rejects.toThrow()
  expect((await listOwnedRows()).length).toBe(before.length)
  expect(await readEvents()).toHaveLength(1)
  await removeTrigger()
  await getLeaveObject().processDue(now + MINUTE_MS)
  expect([
    await listRemainingRows(),
    await readEvents(),
    await listMediaKeys(neighborhood.bindings, 'h/home_b/'),
  ]).toEqual([[], [], []])
})

test('a deletion interrupted before the account itself is gone remembers the remaining work, and resumes', async () => {
  const now = Date.now()
  await scheduleDeletion(now)
  await getLeaveObject().scheduleCheck(ACCOUNT_B, now + 10 * MINUTE_MS)
  await rejectDeletionsFrom('accounts')
  await expect(getLeaveObject().processDue(now)).rejects.toThrow()
  expect(await listRemainingRows()).toEqual([expect.stringContaining('b@example.com')])
  // Simulates an upload after the interrupted attempt, with an upload grant that is still valid.
  await neighborhood.bindings.MEDIA.put('h/home_b/clip/late.mp4', 'late')
  await removeTrigger()
  await getLeaveObject().processDue(now + MINUTE_MS)
  expect([await listRemainingRows(), await listMediaKeys(neighborhood.bindings, 'h/home_b/')]).toEqual([[], []])
})

test('a second pass deletes data that was in flight during the deletion, and then no record remains', async () => {
  const now = Date.now()
  await scheduleDeletion(now)
  await getLeaveObject().remove(ACCOUNT_B, now)
  expect(await listRemainingRows()).toEqual([])
  await neighborhood.bindings.MEDIA.put('h/home_b/clip/late.mp4', 'late')
  await neighborhood.bindings.ACTIVITY.getByName('home:home_b').add({ kind: 'bridge-added', who: 'user_b' }, null, now)
  await getLeaveObject().processDue(now + 19 * MINUTE_MS)
  expect(await listMediaKeys(neighborhood.bindings, 'h/home_b/')).toHaveLength(1)
  await getLeaveObject().processDue(now + 21 * MINUTE_MS)
  expect(await listMediaKeys(neighborhood.bindings, 'h/home_b/')).toEqual([])
  expect(Object.values(await dumpObject(neighborhood.stage, 'ACTIVITY', 'home:home_b')).flat()).toEqual([])
  expect(Object.values(await dumpObject(neighborhood.stage, 'LEAVES', 'user_b')).flat()).toEqual([])
  expect(await listMediaKeys(neighborhood.bindings, 'h/home_a/')).toHaveLength(3)
})

test('an account whose deletion was undone is untouched, and nothing stays pending for it', async () => {
  const now = Date.now()
  await getLeaveObject().scheduleCheck(ACCOUNT_B, now + 10 * MINUTE_MS)
  const before = await listRemainingRows()
  await getLeaveObject().processDue(now + 31 * 86_400_000)
  expect(await listRemainingRows()).toEqual(before)
  expect(Object.values(await dumpObject(neighborhood.stage, 'LEAVES', 'user_b')).flat()).toEqual([])
})
