import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FREE_RETENTION_DAYS, getPlan, PLANS } from '../../../../../contract/billing/plan-catalog.ts'
import { SKUS } from '../../../../../contract/billing/skus.ts'
import {
  resolveEntitlements,
  isRunning,
  type LicenseAssignment,
  type OwnedPlan,
} from '../../../../../provider/billing/plans/entitlements.ts'
import {
  listVisibleCameras,
  limitVisibility,
  toEventVisibility,
} from '../../../../../provider/billing/plans/event-visibility.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const NOW = 1_800_000_000_000
const CAMERAS = ['a', 'b', 'c', 'd']

const createPlan = (sku: string, change: Partial<OwnedPlan> = {}): OwnedPlan => ({
  subscription_id: sku,
  user_id: 'owner',
  sku,
  status: 'active',
  quantity: 1,
  renews_at: NOW - DAY_MS,
  created_at: 0,
  ...change,
})
const createBinding = (device_id: string, subscription_id: string, bound_at = 0): LicenseAssignment => ({
  device_id,
  subscription_id,
  bound_at,
})
const listRetentionDays = (plans: OwnedPlan[], bindings: LicenseAssignment[] = []) =>
  [...resolveEntitlements({ subscriptions: plans, bindings }, CAMERAS, NOW).values()].map(({ keepsDays }) => keepsDays)

describe('OPEN-147 plan entitlement', () => {
  test.each([
    ['active', NOW - DAY_MS, true],
    ['cancelled', NOW + 1, true],
    ['cancelled', NOW, false],
    ['past_due', NOW + 1, true],
    ['past_due', NOW - 1, false],
  ])('lasts until the end of the paid period: %s, renewed at %i', (status, renews_at, runs) => {
    expect(isRunning({ status, renews_at }, NOW)).toBe(runs)
    expect(listRetentionDays([createPlan('pro', { status, renews_at })])[0]).toBe(runs ? 60 : FREE_RETENTION_DAYS)
  })

  test('covers every camera with a home plan, and only the assigned camera with a license', () => {
    expect(listRetentionDays([createPlan('unlimited')])).toEqual([30, 30, 30, 30])
    expect(listRetentionDays([createPlan('cam-ai')], [createBinding('b', 'cam-ai')])).toEqual([1, 14, 1, 1])
    expect(listRetentionDays([createPlan('cam-ai')])).toEqual([1, 1, 1, 1])
    expect(
      listRetentionDays([createPlan('hms'), createPlan('free'), createPlan('something')], [createBinding('a', 'hms')]),
    ).toEqual([1, 1, 1, 1])
  })

  test('counts licenses across all homes of their owner, the earliest assignments first', () => {
    const bindings = [
      createBinding('a', 'cam-ai', 3),
      createBinding('elsewhere', 'cam-ai', 1),
      createBinding('c', 'cam-ai', 2),
    ]
    expect(listRetentionDays([createPlan('cam-ai', { quantity: 2 })], bindings)).toEqual([1, 1, 14, 1])
  })

  test('names the plan with the longest retention period, or the oldest of equal plans', () => {
    const plans = [
      createPlan('cam-ai'),
      createPlan('unlimited', { created_at: 2 }),
      createPlan('unlimited', { subscription_id: 'old' }),
    ]
    const entitlement = resolveEntitlements(
      { subscriptions: plans, bindings: [createBinding('a', 'cam-ai')] },
      ['a'],
      NOW,
    ).get('a')
    expect(entitlement).toEqual({
      plan: { subscription_id: 'old', user_id: 'owner', sku: 'unlimited', by: 'home' },
      keepsDays: 30,
      search: true,
      people: true,
    })
  })
})

const planArbitrary = fc.record({
  subscription_id: fc.constantFrom('s1', 's2', 's3'),
  user_id: fc.constantFrom('owner', 'other'),
  sku: fc.constantFrom(...SKUS, 'unknown'),
  status: fc.constantFrom('active', 'cancelled', 'past_due'),
  quantity: fc.nat(5),
  renews_at: fc.integer({ min: NOW - 10, max: NOW + 10 }),
  created_at: fc.nat(3),
})
const planListArbitrary = fc.uniqueArray(planArbitrary, { selector: ({ subscription_id }) => subscription_id })
const bindingListArbitrary = fc.uniqueArray(
  fc.record({
    device_id: fc.constantFrom(...CAMERAS, 'elsewhere'),
    subscription_id: fc.constantFrom('s1', 's2', 's3'),
    bound_at: fc.nat(4),
  }),
  { selector: ({ device_id }) => device_id },
)
const computeEntitlements = (plans: OwnedPlan[], bindings: LicenseAssignment[], now = NOW) =>
  resolveEntitlements({ subscriptions: plans, bindings }, CAMERAS, now)

describe('any plans and assignments', () => {
  test('each camera has one entitlement, never less than the free one', () => {
    fc.assert(
      fc.property(planListArbitrary, bindingListArbitrary, (plans, bindings) => {
        const all = computeEntitlements(plans, bindings)
        expect([...all.keys()]).toEqual(CAMERAS)
        for (const entitlement of all.values()) {
          expect(entitlement.keepsDays).toBeGreaterThanOrEqual(FREE_RETENTION_DAYS)
          if (entitlement.plan === null)
            expect(entitlement).toMatchObject({ keepsDays: FREE_RETENTION_DAYS, search: false, people: false })
          else expect(getPlan(entitlement.plan.sku).keepsDays).toBe(entitlement.keepsDays)
        }
      }),
    )
  })

  test('a license covers no more cameras than its quantity, and none without an assignment', () => {
    fc.assert(
      fc.property(planListArbitrary, bindingListArbitrary, (plans, bindings) => {
        for (const ownedPlan of plans.filter(({ sku }) => sku === 'cam-ai')) {
          const covered = [...computeEntitlements([ownedPlan], bindings)].filter(([, { plan: by }]) => by !== null)
          expect(covered.length).toBeLessThanOrEqual(ownedPlan.quantity)
          for (const [id] of covered)
            expect(bindings).toContainEqual(
              expect.objectContaining({ device_id: id, subscription_id: ownedPlan.subscription_id }),
            )
        }
      }),
    )
  })

  test('an additional subscription removes nothing, and the row order does not matter', () => {
    fc.assert(
      fc.property(planListArbitrary, bindingListArbitrary, (plans, bindings) => {
        const all = computeEntitlements(plans, bindings)
        const less = computeEntitlements(plans.slice(1), bindings)
        for (const [id, entitlement] of less)
          expect(all.get(id)?.keepsDays).toBeGreaterThanOrEqual(entitlement.keepsDays)
        expect(computeEntitlements(plans.toReversed(), bindings.toReversed())).toEqual(all)
      }),
    )
  })

  test('a plan that is not active ends with its paid period', () => {
    fc.assert(
      fc.property(planListArbitrary, bindingListArbitrary, (plans, bindings) => {
        const ended = plans.filter(({ status }) => status !== 'active')
        for (const entitlement of computeEntitlements(ended, bindings, NOW + 10).values())
          expect(entitlement.plan).toBeNull()
      }),
    )
  })

  test('a view contains every camera once, and covered cameras with all event types for their retention period', () => {
    fc.assert(
      fc.property(planListArbitrary, bindingListArbitrary, (plans, bindings) => {
        const all = computeEntitlements(plans, bindings)
        const view = toEventVisibility(all, NOW)
        expect(listVisibleCameras(view).toSorted()).toEqual(CAMERAS)
        for (const { devices, since, free } of view)
          for (const id of devices) {
            expect(since).toBe(NOW - (all.get(id)?.keepsDays ?? 0) * DAY_MS)
            expect(free).toBe(all.get(id)?.plan === null)
          }
        expect(listVisibleCameras(limitVisibility(view, ['b', 'nowhere']))).toEqual(['b'])
      }),
    )
  })
})

test('PLAN-02 every plan in the list is in the catalog, with its own brand name', () => {
  expect(PLANS.map(({ sku }) => sku)).toEqual(SKUS)
  expect(new Set(PLANS.map(({ name }) => name)).size).toBe(SKUS.length)
  expect(PLANS.map(({ tier }) => tier)).toEqual([0, 1, 2, 3, null])
})
