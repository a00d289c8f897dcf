import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccountLeave } from '../../../../contract/account/account-deletion.ts'
import { listPersonKeys } from '../../../../provider/telemetry/visit-rows.ts'
import { fillAccount } from '../../../support/full-account.ts'
import { keptEvents } from '../../../support/measured.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { dumpDatabase, dumpObject, objectKeys, isTombstone, type Dump } from '../../../support/stored.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const SOON = 21 * 60_000
/** Pattern of rows that name the account or belong to it alone. */
let OF_A = /user_a|a@example\.com|home_a|door_a|yard_a|bridge_a|old_a|"key_a"|Phone of a|Old of a/
/** Durable Objects that belong to account a. `OTHERS`: objects of other owners in which account a has rows. */
const OWN = [
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
const OTHERS = [
  ['HOMES', 'home_b'],
  ['CAMERAS', 'door_b'],
  ['ACTIVITY', 'home:home_b'],
  ['INSIGHTS', 'all'],
] as const

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await fillAccount(town)
  // The provider stores the account's visits under a key that only the provider can derive.
  OF_A = new RegExp([OF_A.source, ...listPersonKeys(town.bindings, 'a@example.com')].join('|'))
})
afterAll(() => town.close())

const object = (binding: string, name: string) => dumpObject(town.stage, binding, name)
const flattenRows = (dump: Dump) => Object.values(dump).flat()
const rest = (dump: Dump) =>
  Object.fromEntries(Object.entries(dump).map(([table, rows]) => [table, rows.filter((row) => !OF_A.test(row))]))
const leavesAt = async () => (await town.call(town.a, getAccountLeave)).body.data.leaves_at as number | null
const leave = () => town.bindings.LEAVES.getByName('user_a')
const until = Date.now() + 30 * DAY_MS

describe('account deletion', () => {
  let before: { database: Dump; keys: string[]; ofB: string[]; bills: number }

  beforeAll(async () => {
    const { DB, LEDGERS } = town.bindings
    const database = await dumpDatabase(town.bindings)
    const ofB = flattenRows(await object('HOMES', 'home_b')).filter((row) => /_b"/.test(row) && !OF_A.test(row))
    const bills = (await LEDGERS.getByName('user_a').invoices(Date.now())).length
    before = { database, keys: await objectKeys(town.bindings), ofB, bills }
    const { stripe_customers: _, stripe_events: __, collector_sessions: ___, error_days: ____, ...filled } = database
    for (const [table, rows] of Object.entries(filled))
      expect([table, rows.some((row) => OF_A.test(row))]).toEqual([table, true])
    for (const [binding, name] of [...OWN.slice(0, -1), ...OTHERS])
      expect([name, flattenRows(await object(binding, name)).length > 0]).toEqual([name, true])
    expect(before.keys.filter((key) => key.startsWith('h/home_a/')).length).toBe(6)
    await DB.prepare("UPDATE accounts SET leaves_at = ? WHERE user_id = 'user_a'").bind(until).run()
    await leave().await({ userId: 'user_a', email: 'a@example.com' }, until)
  })

  test('leaves the account whole until its last day ends, and reports that day to the page', async () => {
    expect(await leavesAt()).toBe(until)
    // Three days before the deletion: the next charge of the plan is later, even in the shortest month.
    await leave().processDue(until - 3 * DAY_MS)
    const database = await dumpDatabase(town.bindings)
    // The plan is canceled before the account is deleted.
    const { oidc, subscriptions } = database
    expect(subscriptions?.find((row) => row.includes('"user_a"') && row.includes('sub_'))).toContain('"cancelled"')
    expect({ ...database, accounts: [] }).toEqual({ ...before.database, accounts: [], oidc, subscriptions })
    expect(await objectKeys(town.bindings)).toEqual(before.keys)
  })

  test('deletes every row and object except anonymous invoices, and nothing of other homes', async () => {
    await leave().processDue(until)
    await leave().processDue(until + SOON)
    const database = await dumpDatabase(town.bindings)
    expect(flattenRows(database).filter((row) => OF_A.test(row) && !isTombstone(row))).toEqual([])
    expect(
      flattenRows(database)
        .filter(isTombstone)
        .every((row) => /"revoked_at":\d/.test(row)),
    ).toBe(true)
    const { coupons, coupon_holds, ...others } = rest(before.database)
    const bridges = (database['bridges'] ?? []).filter((row) => !isTombstone(row))
    expect({ ...database, bridges }).toMatchObject(others)
    expect(database['coupons']).toHaveLength((coupons?.length ?? 0) + 1)
    expect(database['coupon_holds']).toEqual(expect.arrayContaining(coupon_holds ?? []))
    expect(database['coupon_holds']).toHaveLength(2)
    for (const [binding, name] of OWN) expect([name, flattenRows(await object(binding, name))]).toEqual([name, []])
    for (const [binding, name] of OTHERS)
      expect([name, flattenRows(await object(binding, name)).filter((row) => OF_A.test(row))]).toEqual([name, []])
    expect(await keptEvents(town.stage)).toHaveLength(1)
    expect(flattenRows(await object('HOMES', 'home_b'))).toEqual(expect.arrayContaining(before.ofB))
    expect(await objectKeys(town.bindings)).toEqual(before.keys.filter((key) => !key.startsWith('h/home_a/')))
    expect(before.keys.filter((key) => key.startsWith('h/home_b/'))).toHaveLength(3)
  })

  test('keeps balanced invoices and ledger entries without address, card or camera', async () => {
    const ledger = town.bindings.LEDGERS.getByName('user_a')
    expect(before.bills).toBeGreaterThan(0)
    expect(await ledger.invoices(Date.now())).toHaveLength(before.bills)
    const { crooked, strayed, charges } = await ledger.audit(Date.now())
    expect([crooked, strayed, charges.length]).toEqual([[], [], 1])
    const remaining = flattenRows(await object('LEDGERS', 'user_a')).concat(
      flattenRows(await object('GATEWAYS', 'user_a')),
    )
    expect(remaining.filter((row) => /Lake Road|Reno|\b4242\b|door_a|example\.com/.test(row))).toEqual([])
    expect(Object.keys(await object('GATEWAYS', 'user_a'))).toContain('charges')
  })
})
