import { describe, expect, test } from 'vitest'
import { applyCoupon } from '../../../../../provider/billing/ledger/redemption.ts'
import { bindTo } from '../../../../../provider/billing/ledger/licenses.ts'
import {
  coverNew,
  releaseLedgerLicense,
  isAutoCovered,
  moveLicenseAssignment,
  storeAutoCover,
  unbindFrom,
} from '../../../../../provider/billing/ledger/license-transfers.ts'
import { acknowledge, outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { buy, key, mustBalance, NOW, listSubscriptions, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const OWN = ['a', 'b', 'c', 'd']

/** Ledger with Camera AI for `quantity` cameras; licenses are assigned to `cameras`. */
async function covered(quantity: number, cameras: readonly string[]) {
  const town = openBook({ now: NOW })
  await buy(town, T1(quantity), NOW, { cameras, own: OWN })
  acknowledge(town.book, outgoing(town.book))
  return { town, id: listSubscriptions(town)[0]?.subscription_id ?? '' }
}
const within = <T>({ book }: TestBook, work: () => T) => book.transaction(work)
const held = ({ book }: TestBook) => book.all('licence').map(({ device_id }) => device_id)
const listOutgoingKinds = ({ book }: TestBook) => outgoing(book).map(({ kind }) => kind)

describe('an unassigned license', () => {
  test('is free immediately, and D1 is updated in one message', async () => {
    const { town, id } = await covered(3, ['a', 'b'])
    const devices = ['a', 'c', 'x']
    const free = () => unbindFrom(town.book, { intent: key(), subscription_id: id, devices, own: OWN }, NOW)
    expect(within(town, free)).toEqual([
      { device_mac: 'a', done: true, why: null },
      { device_mac: 'c', done: false, why: 'not_bound' },
      { device_mac: 'x', done: false, why: 'not_yours' },
    ])
    expect([held(town), listOutgoingKinds(town)]).toEqual([['b'], ['subscription']])
    mustBalance(town)
  })

  test('is unassigned once per idempotency key, even if the camera was assigned again since', async () => {
    const { town, id } = await covered(1, ['a'])
    const ask = { intent: key(), subscription_id: id, devices: ['a'], own: OWN }
    const first = within(town, () => unbindFrom(town.book, ask, NOW))
    expect(within(town, () => coverNew(town.book, 'a', OWN, NOW))).toMatchObject({ bound: true })
    expect(within(town, () => unbindFrom(town.book, ask, NOW))).toEqual(first)
    expect(held(town)).toEqual(['a'])
    const other = within(town, () => unbindFrom(town.book, { ...ask, devices: ['b'] }, NOW))
    expect(other).toMatchObject({ state: 'refused', code: 'intent' })
  })

  test('of an unknown plan is rejected, and leaves no entry', async () => {
    const { town } = await covered(1, ['a'])
    const entries = town.book.count('entries')
    const ask = { intent: key(), subscription_id: 'nobody_has_this', devices: ['a'], own: OWN }
    expect(within(town, () => unbindFrom(town.book, ask, NOW))).toMatchObject({ state: 'refused', status: 404 })
    expect([town.book.count('entries'), held(town)]).toEqual([entries, ['a']])
  })
})

describe('a license transfer', () => {
  const move = (town: TestBook, id: string, from: string, to: string, now = NOW) =>
    within(town, () =>
      moveLicenseAssignment(town.book, { intent: key(), subscription_id: id, from, to, own: OWN }, now),
    )

  test('takes one entry, and keeps the time of the original assignment', async () => {
    const { town, id } = await covered(2, ['a', 'b'])
    const entries = town.book.count('entries')
    expect(move(town, id, 'a', 'c', NOW + DAY_MS)).toMatchObject([{ done: true }, { device_mac: 'c', done: true }])
    expect([held(town), town.book.count('entries')]).toEqual([['b', 'c'], entries + 1])
    expect(town.book.get('licence', 'c')).toMatchObject({ bound_at: NOW })
    mustBalance(town)
  })

  test.each([
    ['a camera that has none', 'c', 'd', ['not_bound', null]],
    ['a camera that is nobody’s', 'x', 'd', ['not_yours', null]],
    ['one that has one to one that has one', 'a', 'b', [null, 'bound']],
    ['a camera to one that is not the account’s', 'a', 'x', [null, 'not_yours']],
  ])('from %s changes nothing', async (_, from, to, why) => {
    const { town, id } = await covered(2, ['a', 'b'])
    const entries = town.book.count('entries')
    const answer = move(town, id, from, to)
    expect(answer).toMatchObject(why.map((reason) => ({ done: false, why: reason })))
    expect([held(town), town.book.count('entries')]).toEqual([['a', 'b'], entries])
  })

  test('of a second plan covers no camera that the first plan covers', async () => {
    const { town } = await covered(1, ['a'])
    const bonus = { code: 'BONUS', kind: 'bonus', sku: 'cam-ai', value: 30 } as const
    const id = within(town, () => applyCoupon(town.ctx, bonus, key(), NOW)) ?? ''
    const bind = (device: string) => within(town, () => bindTo(town.book, id, [device], OWN, NOW))
    expect(bind('a')).toEqual([{ device_mac: 'a', bound: false, why: 'bound' }])
    expect(bind('b')).toEqual([{ device_mac: 'b', bound: true, why: null }])
  })

  test('is rejected for a plan that covers the whole home', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T2, NOW)
    const id = listSubscriptions(town)[0]?.subscription_id ?? ''
    expect(move(town, id, 'a', 'b')).toMatchObject({ state: 'refused', status: 400 })
  })
})

describe('a new camera', () => {
  const arrive = (town: TestBook, device: string, now = NOW) =>
    within(town, () => coverNew(town.book, device, OWN, now))

  test('gets a free license while there is one', async () => {
    const { town } = await covered(2, ['a'])
    expect(arrive(town, 'b')).toMatchObject({ bound: true })
    expect(arrive(town, 'c')).toBeNull()
    expect([held(town), listOutgoingKinds(town)]).toEqual([['a', 'b'], ['subscription']])
    mustBalance(town)
  })

  test('gets no license while the account does not want it, and does again once it does', async () => {
    const { town } = await covered(2, ['a'])
    const set = (on: boolean) => within(town, () => storeAutoCover(town.book, { intent: key(), on }, NOW))
    expect([isAutoCovered(town.book), set(false), isAutoCovered(town.book)]).toEqual([true, false, false])
    expect([arrive(town, 'b'), held(town)]).toEqual([null, ['a']])
    expect([set(true), arrive(town, 'b')]).toMatchObject([true, { bound: true }])
    mustBalance(town)
  })

  test('gets no license of an ended plan, and a camera of another account gets none', async () => {
    const { town } = await covered(2, ['a'])
    expect(arrive(town, 'x')).toMatchObject({ bound: false, why: 'not_yours' })
    const [plan] = listSubscriptions(town)
    const over = { ...plan!, status: 'cancelled' as const }
    within(town, () => town.book.put(town.book.enter('test', '', NOW), 'subscription', over.subscription_id, over))
    expect(arrive(town, 'b', over.until + 1)).toBeNull()
    expect(held(town)).toEqual(['a'])
  })

  test('releases its license when it is removed', async () => {
    const { town } = await covered(1, ['a'])
    within(town, () => releaseLedgerLicense(town.book, 'a', NOW))
    within(town, () => releaseLedgerLicense(town.book, 'b', NOW))
    expect([held(town), listOutgoingKinds(town)]).toEqual([[], ['subscription']])
    mustBalance(town)
  })
})
