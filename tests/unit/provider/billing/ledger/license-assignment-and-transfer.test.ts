import { describe, expect, test } from 'vitest'
import { applyCoupon } from '../../../../../provider/billing/ledger/redemption.ts'
import { assignLicenses } from '../../../../../provider/billing/ledger/licenses.ts'
import {
  assignLicenseToNewCamera,
  releaseLedgerLicense,
  isAutoAssignmentOn,
  moveLicenseAssignment,
  storeAutoAssignment,
  unassignLicenses,
} from '../../../../../provider/billing/ledger/license-transfers.ts'
import { buildProjection } from '../../../../../provider/billing/ledger/projection.ts'
import { acknowledge, listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  nextIdempotencyKey,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const OWN_CAMERAS = ['a', 'b', 'c', 'd']

async function openLedgerWithLicenses(quantity: number, cameras: readonly string[]) {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(quantity), NOW_MS, { cameras, own: OWN_CAMERAS })
  acknowledge(testLedger.book, listOutbox(testLedger.book))
  return { testLedger, id: listSubscriptions(testLedger)[0]?.subscription_id ?? '' }
}
const runTransaction = <T>({ book }: TestLedger, work: () => T) => book.transaction(work)
const listCoveredCameras = ({ book }: TestLedger) => book.listRecords('licence').map(({ device_id }) => device_id)
const listOutgoingKinds = ({ book }: TestLedger) => listOutbox(book).map(({ kind }) => kind)

describe('an unassigned license', () => {
  test('is free immediately, and D1 is updated in one message', async () => {
    const { testLedger, id } = await openLedgerWithLicenses(3, ['a', 'b'])
    const devices = ['a', 'c', 'x']
    const free = () =>
      unassignLicenses(
        testLedger.book,
        { intent: nextIdempotencyKey(), subscription_id: id, devices, own: OWN_CAMERAS },
        NOW_MS,
      )
    expect(runTransaction(testLedger, free)).toEqual([
      { device_mac: 'a', done: true, why: null },
      { device_mac: 'c', done: false, why: 'not_bound' },
      { device_mac: 'x', done: false, why: 'not_yours' },
    ])
    expect([listCoveredCameras(testLedger), listOutgoingKinds(testLedger)]).toEqual([['b'], ['subscription']])
    expectBalancedLedger(testLedger)
  })

  test('is unassigned once per idempotency key, even if the camera was assigned again since', async () => {
    const { testLedger, id } = await openLedgerWithLicenses(1, ['a'])
    const unbindRequest = { intent: nextIdempotencyKey(), subscription_id: id, devices: ['a'], own: OWN_CAMERAS }
    const first = runTransaction(testLedger, () => unassignLicenses(testLedger.book, unbindRequest, NOW_MS))
    expect(
      runTransaction(testLedger, () => assignLicenseToNewCamera(testLedger.book, 'a', OWN_CAMERAS, NOW_MS)),
    ).toMatchObject({
      bound: true,
    })
    expect(runTransaction(testLedger, () => unassignLicenses(testLedger.book, unbindRequest, NOW_MS))).toEqual(first)
    expect(listCoveredCameras(testLedger)).toEqual(['a'])
    const other = runTransaction(testLedger, () =>
      unassignLicenses(testLedger.book, { ...unbindRequest, devices: ['b'] }, NOW_MS),
    )
    expect(other).toMatchObject({ state: 'refused', code: 'intent' })
  })

  test('of an unknown plan is rejected, and leaves no entry', async () => {
    const { testLedger } = await openLedgerWithLicenses(1, ['a'])
    const entries = testLedger.book.getCounter('entries')
    const unbindRequest = {
      intent: nextIdempotencyKey(),
      subscription_id: 'unknown_plan',
      devices: ['a'],
      own: OWN_CAMERAS,
    }
    expect(runTransaction(testLedger, () => unassignLicenses(testLedger.book, unbindRequest, NOW_MS))).toMatchObject({
      state: 'refused',
      status: 404,
    })
    expect([testLedger.book.getCounter('entries'), listCoveredCameras(testLedger)]).toEqual([entries, ['a']])
  })
})

describe('a license transfer', () => {
  const moveLicense = (testLedger: TestLedger, id: string, from: string, to: string, now = NOW_MS) =>
    runTransaction(testLedger, () =>
      moveLicenseAssignment(
        testLedger.book,
        { intent: nextIdempotencyKey(), subscription_id: id, from, to, own: OWN_CAMERAS },
        now,
      ),
    )

  test('takes one entry, and keeps the time of the original assignment', async () => {
    const { testLedger, id } = await openLedgerWithLicenses(2, ['a', 'b'])
    const entries = testLedger.book.getCounter('entries')
    expect(moveLicense(testLedger, id, 'a', 'c', NOW_MS + DAY_MS)).toMatchObject([
      { done: true },
      { device_mac: 'c', done: true },
    ])
    expect([listCoveredCameras(testLedger), testLedger.book.getCounter('entries')]).toEqual([['b', 'c'], entries + 1])
    expect(testLedger.book.get('licence', 'c')).toMatchObject({ bound_at: NOW_MS })
    const statements = buildProjection(testLedger.book, { kind: 'subscription', id, seq: 9 }, 825)
    const licenses = JSON.parse(String(statements.at(-1)?.values[2])) as unknown
    expect(licenses).toEqual([
      ['b', NOW_MS, NOW_MS],
      ['c', NOW_MS, NOW_MS + DAY_MS],
    ])
    expectBalancedLedger(testLedger)
  })

  test.each([
    ['a camera without a license', 'c', 'd', ['not_bound', null]],
    ['a camera that the account does not own', 'x', 'd', ['not_yours', null]],
    ['a licensed camera to another licensed camera', 'a', 'b', [null, 'bound']],
    ['a licensed camera to one that the account does not own', 'a', 'x', [null, 'not_yours']],
  ])('from %s changes nothing', async (_, from, to, why) => {
    const { testLedger, id } = await openLedgerWithLicenses(2, ['a', 'b'])
    const entries = testLedger.book.getCounter('entries')
    const answer = moveLicense(testLedger, id, from, to)
    expect(answer).toMatchObject(why.map((reason) => ({ done: false, why: reason })))
    expect([listCoveredCameras(testLedger), testLedger.book.getCounter('entries')]).toEqual([['a', 'b'], entries])
  })

  test('of a second plan covers no camera that the first plan covers', async () => {
    const { testLedger } = await openLedgerWithLicenses(1, ['a'])
    const bonus = { code: 'BONUS', kind: 'bonus', sku: 'cam-ai', value: 30 } as const
    const id =
      runTransaction(testLedger, () => applyCoupon(testLedger.context, bonus, nextIdempotencyKey(), NOW_MS)) ?? ''
    const bind = (device: string) =>
      runTransaction(testLedger, () => assignLicenses(testLedger.book, id, [device], OWN_CAMERAS, NOW_MS))
    expect(bind('a')).toEqual([{ device_mac: 'a', bound: false, why: 'bound' }])
    expect(bind('b')).toEqual([{ device_mac: 'b', bound: true, why: null }])
  })

  test('is rejected for a plan that covers the whole home', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
    const id = listSubscriptions(testLedger)[0]?.subscription_id ?? ''
    expect(moveLicense(testLedger, id, 'a', 'b')).toMatchObject({ state: 'refused', status: 400 })
  })
})

describe('a new camera', () => {
  const addCamera = (testLedger: TestLedger, device: string, now = NOW_MS) =>
    runTransaction(testLedger, () => assignLicenseToNewCamera(testLedger.book, device, OWN_CAMERAS, now))

  test('gets a free license while there is one', async () => {
    const { testLedger } = await openLedgerWithLicenses(2, ['a'])
    expect(addCamera(testLedger, 'b')).toMatchObject({ bound: true })
    expect(addCamera(testLedger, 'c')).toBeNull()
    expect([listCoveredCameras(testLedger), listOutgoingKinds(testLedger)]).toEqual([['a', 'b'], ['subscription']])
    expectBalancedLedger(testLedger)
  })

  test('gets no license while the account does not want it, and does again once it does', async () => {
    const { testLedger } = await openLedgerWithLicenses(2, ['a'])
    const set = (on: boolean) =>
      runTransaction(testLedger, () =>
        storeAutoAssignment(testLedger.book, { intent: nextIdempotencyKey(), on }, NOW_MS),
      )
    expect([isAutoAssignmentOn(testLedger.book), set(false), isAutoAssignmentOn(testLedger.book)]).toEqual([
      true,
      false,
      false,
    ])
    expect([addCamera(testLedger, 'b'), listCoveredCameras(testLedger)]).toEqual([null, ['a']])
    expect([set(true), addCamera(testLedger, 'b')]).toMatchObject([true, { bound: true }])
    expectBalancedLedger(testLedger)
  })

  test('gets no license of an ended plan, and a camera of another account gets none', async () => {
    const { testLedger } = await openLedgerWithLicenses(2, ['a'])
    expect(addCamera(testLedger, 'x')).toMatchObject({ bound: false, why: 'not_yours' })
    const [plan] = listSubscriptions(testLedger)
    const over = { ...plan!, status: 'cancelled' as const }
    runTransaction(testLedger, () =>
      testLedger.book.put(testLedger.book.addEntry('test', '', NOW_MS), 'subscription', over.subscription_id, over),
    )
    expect(addCamera(testLedger, 'b', over.until + 1)).toBeNull()
    expect(listCoveredCameras(testLedger)).toEqual(['a'])
  })

  test('releases its license when it is removed', async () => {
    const { testLedger } = await openLedgerWithLicenses(1, ['a'])
    runTransaction(testLedger, () => releaseLedgerLicense(testLedger.book, 'a', NOW_MS))
    runTransaction(testLedger, () => releaseLedgerLicense(testLedger.book, 'b', NOW_MS))
    expect([listCoveredCameras(testLedger), listOutgoingKinds(testLedger)]).toEqual([[], ['subscription']])
    expectBalancedLedger(testLedger)
  })
})
