import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccountDeletion } from '../../../../contract/account/account-deletion.ts'
import { listVisitorHashes } from '../../../../provider/telemetry/visit-rows.ts'
import { fillAccountWithData } from '../../../support/full-account.ts'
import { listDayObjects, listStoredEvents } from '../../../support/measured.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import {
  dumpDatabase,
  dumpObject,
  listMediaKeys,
  isRevokedBridgeRow,
  type StorageDump,
} from '../../../support/stored.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const SECOND_PASS_DELAY_MS = 21 * 60_000
/** Matches rows that name account a or contain its data. `beforeAll` adds the visitor hashes of account a. */
let rowsOfAccountAPattern = /user_a|a@example\.com|home_a|door_a|yard_a|bridge_a|old_a|"key_a"|Phone of a|Old of a/
/**
 * Durable Objects that belong to account a. `SHARED_DURABLE_OBJECTS`: other Durable Objects that contain rows of
 * account a.
 */
const OWN_DURABLE_OBJECTS = [
  ['HOMES', 'home_a'],
  ['CAMERAS', 'door_a'],
  ['CAMERAS', 'yard_a'],
  ['BRIDGES', 'bridge_a'],
  ['BRIDGES', 'old_a'],
  ['ACTIVITY', 'user:user_a'],
  ['ACTIVITY', 'home:home_a'],
  ['GUARDS', 'user_a'],
  ['GUARDS', 'factor:user_a'],
  ['LEAVES', 'user_a'],
] as const
const SHARED_DURABLE_OBJECTS = [
  ['HOMES', 'home_b'],
  ['CAMERAS', 'door_b'],
  ['ACTIVITY', 'home:home_b'],
] as const

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await fillAccountWithData(neighborhood)
  // Visit rows contain only a hash of the email, which the provider computes with its secret `FACTOR_KEY`.
  rowsOfAccountAPattern = new RegExp(
    [rowsOfAccountAPattern.source, ...listVisitorHashes(neighborhood.bindings, 'a@example.com')].join('|'),
  )
})
afterAll(() => neighborhood.close())

const listSharedObjects = async () => [
  ...SHARED_DURABLE_OBJECTS,
  ...(await listDayObjects(neighborhood.bindings)).map(({ name }) => ['INSIGHTS', name] as const),
]
const dumpNamedObject = (binding: string, name: string) => dumpObject(neighborhood.stage, binding, name)
const flattenRows = (dump: StorageDump) => Object.values(dump).flat()
const removeRowsOfAccountA = (dump: StorageDump) =>
  Object.fromEntries(
    Object.entries(dump).map(([table, rows]) => [table, rows.filter((row) => !rowsOfAccountAPattern.test(row))]),
  )
const fetchLeavesAt = async () =>
  (await neighborhood.call(neighborhood.a, getAccountDeletion)).body.data.leaves_at as number | null
const getLeaveObject = () => neighborhood.bindings.LEAVES.getByName('user_a')
const deletionTimeMs = Date.now() + 30 * DAY_MS

describe('account deletion', () => {
  let before: { database: StorageDump; keys: string[]; homeRowsOfB: string[]; bills: number }

  beforeAll(async () => {
    const { DB, LEDGERS } = neighborhood.bindings
    const database = await dumpDatabase(neighborhood.bindings)
    const homeRowsOfB = flattenRows(await dumpNamedObject('HOMES', 'home_b')).filter(
      (row) => /_b"/.test(row) && !rowsOfAccountAPattern.test(row),
    )
    const bills = (await LEDGERS.getByName('user_a').listInvoices(Date.now())).length
    before = { database, keys: await listMediaKeys(neighborhood.bindings), homeRowsOfB, bills }
    const {
      stripe_customers: _,
      stripe_events: __,
      collector_sessions: ___,
      error_days: ____,
      insights_objects: _____,
      ...filled
    } = database
    for (const [table, rows] of Object.entries(filled))
      expect([table, rows.some((row) => rowsOfAccountAPattern.test(row))]).toEqual([table, true])
    for (const [binding, name] of [...OWN_DURABLE_OBJECTS.slice(0, -1), ...(await listSharedObjects())])
      expect([name, flattenRows(await dumpNamedObject(binding, name)).length > 0]).toEqual([name, true])
    expect(before.keys.filter((key) => key.startsWith('h/home_a/')).length).toBe(6)
    await DB.prepare("UPDATE accounts SET leaves_at = ? WHERE user_id = 'user_a'").bind(deletionTimeMs).run()
    await getLeaveObject().scheduleCheck({ userId: 'user_a', email: 'a@example.com' }, deletionTimeMs)
  })

  test('leaves the account whole until its last day ends, and reports that day to the page', async () => {
    expect(await fetchLeavesAt()).toBe(deletionTimeMs)
    // Three days before the deletion (day 27), the plan's next charge is not due yet, even in the shortest month.
    await getLeaveObject().processDue(deletionTimeMs - 3 * DAY_MS)
    const database = await dumpDatabase(neighborhood.bindings)
    // The plan is canceled before the account is deleted.
    const { oidc, subscriptions } = database
    expect(subscriptions?.find((row) => row.includes('"user_a"') && row.includes('sub_'))).toContain('"cancelled"')
    expect({ ...database, accounts: [] }).toEqual({ ...before.database, accounts: [], oidc, subscriptions })
    expect(await listMediaKeys(neighborhood.bindings)).toEqual(before.keys)
  })

  test('deletes every row and object except anonymous invoices, and nothing of other homes', async () => {
    await getLeaveObject().processDue(deletionTimeMs)
    await getLeaveObject().processDue(deletionTimeMs + SECOND_PASS_DELAY_MS)
    const database = await dumpDatabase(neighborhood.bindings)
    expect(flattenRows(database).filter((row) => rowsOfAccountAPattern.test(row) && !isRevokedBridgeRow(row))).toEqual(
      [],
    )
    expect(
      flattenRows(database)
        .filter(isRevokedBridgeRow)
        .every((row) => /"revoked_at":\d/.test(row)),
    ).toBe(true)
    const { coupons, coupon_holds, ...others } = removeRowsOfAccountA(before.database)
    const bridges = (database['bridges'] ?? []).filter((row) => !isRevokedBridgeRow(row))
    expect({ ...database, bridges }).toMatchObject(others)
    expect(database['coupons']).toHaveLength((coupons?.length ?? 0) + 1)
    expect(database['coupon_holds']).toEqual(expect.arrayContaining(coupon_holds ?? []))
    expect(database['coupon_holds']).toHaveLength(2)
    for (const [binding, name] of OWN_DURABLE_OBJECTS)
      expect([name, flattenRows(await dumpNamedObject(binding, name))]).toEqual([name, []])
    for (const [binding, name] of await listSharedObjects())
      expect([
        name,
        flattenRows(await dumpNamedObject(binding, name)).filter((row) => rowsOfAccountAPattern.test(row)),
      ]).toEqual([name, []])
    expect(await listStoredEvents(neighborhood.stage)).toHaveLength(1)
    expect(flattenRows(await dumpNamedObject('HOMES', 'home_b'))).toEqual(expect.arrayContaining(before.homeRowsOfB))
    expect(await listMediaKeys(neighborhood.bindings)).toEqual(
      before.keys.filter((key) => !key.startsWith('h/home_a/')),
    )
    expect(before.keys.filter((key) => key.startsWith('h/home_b/'))).toHaveLength(3)
  })

  test('keeps balanced invoices and ledger entries without address, card or camera', async () => {
    const ledger = neighborhood.bindings.LEDGERS.getByName('user_a')
    expect(before.bills).toBeGreaterThan(0)
    expect(await ledger.listInvoices(Date.now())).toHaveLength(before.bills)
    const { crooked, strayed, charges } = await ledger.createReconciliationSnapshot(Date.now())
    expect([crooked, strayed, charges.length]).toEqual([[], [], 1])
    const remaining = flattenRows(await dumpNamedObject('LEDGERS', 'user_a')).concat(
      flattenRows(await dumpNamedObject('GATEWAYS', 'user_a')),
    )
    expect(remaining.filter((row) => /Lake Road|Reno|\b4242\b|door_a|example\.com/.test(row))).toEqual([])
    expect(Object.keys(await dumpNamedObject('GATEWAYS', 'user_a'))).toContain('charges')
  })
})
