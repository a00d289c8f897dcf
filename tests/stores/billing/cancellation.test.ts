import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { getCancellationPreview } from '../../../contract/billing/cancellation.ts'
import {
  $planBeingCanceled,
  closeCancellation,
  openCancellation,
} from '../../../src/stores/billing/cancellation-step.ts'
import {
  $trialExtension,
  $cancellationPreview,
  $cancellationResult,
  cancelPlan,
  requestTrialExtension,
  loadTrialExtension,
  loadCancellationPreview,
  pausePlanForMonths,
  payOpenAmount,
  resumePausedPlan,
  undoCancellation,
} from '../../../src/stores/billing/cancellation.ts'
import { $serviceUpdateStatus } from '../../../src/stores/billing/subscriptions.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { areDistinct, statesNoCharge, statesUnknownResult } from '../../support/facts.ts'

const subscriptionFields = { subscription_id: 's1', revision: 3, billing_provider: 'card' }
const LATER_MS = 1_800_000_000_000
const preview = {
  subscription_id: 's1',
  revision: 3,
  ways: [
    {
      way: 'end',
      ends_at: LATER_MS,
      lines: [],
      subtotal: 0,
      tax: 0,
      total: 0,
      to_method: 0,
      to_balance: 0,
      from_balance: 0,
      method: null,
      months: 0,
    },
  ],
  clips: { shown: 10, shown_days: 30, kept: 1, kept_days: 1, bytes: 0, bills: 1 },
  offers: { pause_months: 3, fewer: null, other: null },
}
const okResponse = <T>(data: T) => ({ code: 200, data })
const followUpResponses = { user_1: okResponse({ subscriptions: [] }), recurring_info: null }
const cancellationResponse = okResponse({
  subscription_id: 's1',
  ends_at: LATER_MS,
  to_method: 0,
  to_balance: 0,
  bill: '',
})
const firstRequest = (requests: ReturnType<typeof stubApiResponses>) =>
  requests[0] as { path: string; body: Record<string, unknown> }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  $userId.set('user_1')
  closeCancellation()
  $cancellationResult.set(null)
  while ($toast.get()) closeToast()
})

async function readRejection(code: string): Promise<string> {
  stubApiResponses({ card: { code, status: code === '404' ? 404 : 409 }, ...followUpResponses })
  return (await cancelPlan(subscriptionFields, 'end', null))?.text ?? ''
}

describe('plan cancellation', () => {
  test('loads its preview and reports a failed load in place', async () => {
    expect(v.is(getCancellationPreview.response!, okResponse(preview))).toBe(true)
    stubApiResponses({ leaving: okResponse(preview) })
    await loadCancellationPreview('s1')
    expect($cancellationPreview.get()).toEqual({ state: 'ready', leaving: preview })
    stubApiResponses({ leaving: { code: 500, data: {} } })
    await loadCancellationPreview('s2')
    expect($cancellationPreview.get()).toMatchObject({ state: 'failed', failure: { status: 500, inPlace: true } })
    expect($toast.get()).toBeNull()
  })

  test('reports a plan that has changed meanwhile and reloads the subscriptions', async () => {
    openCancellation('s1')
    const runs = {
      ...subscriptionFields,
      sku: 'pro',
      status: 'trial',
      quantity: 1,
      period: 'monthly',
      renews_at: LATER_MS,
    }
    const requests = stubApiResponses({
      leaving: { code: 'ends', status: 409 },
      user_1: okResponse({ subscriptions: [runs] }),
    })
    await loadCancellationPreview('s1')
    expect(requests.at(-1)?.path).toMatch(/subscriptions\/user_1$/)
    expect([$planBeingCanceled.get()?.id, $toast.get()]).toEqual(['s1', null])
    const failed = $cancellationPreview.get()
    expect(failed).toMatchObject({ state: 'failed', failure: { text: await readRejection('ends') } })
  })

  test('of an ended plan closes the dialog and says so', async () => {
    openCancellation('s1')
    stubApiResponses({ leaving: { code: 404 }, ...followUpResponses })
    await loadCancellationPreview('s1')
    const text = $toast.get()?.text
    expect([$planBeingCanceled.get(), text]).toEqual([null, expect.stringMatching(/./)])
    expect(await readRejection('404')).toContain(text)
  })

  test('CANCEL-04 CALL-09 is sent to the subscription’s billing provider with revision, way and reason', async () => {
    const requests = stubApiResponses({ card: cancellationResponse, ...followUpResponses })
    const done = cancelPlan(subscriptionFields, 'month_end', 'price')
    expect($serviceUpdateStatus.get()).toBe(false)
    expect(await done).toBeNull()
    const { path, body } = firstRequest(requests)
    expect(path).toMatch(/\/api\/v2\/cancel\/card$/)
    expect(body).toEqual({
      subscription_id: 's1',
      revision: 3,
      way: 'month_end',
      reason: 'price',
      intent: body['intent'],
    })
    expect($cancellationResult.get()).toEqual(cancellationResponse.data)
    expect(requests.map((request) => request.path)).toContainEqual(expect.stringMatching(/subscriptions\/user_1$/))
  })

  test('CALL-07 is undone at the same billing provider', async () => {
    $cancellationResult.set(cancellationResponse.data)
    const requests = stubApiResponses({
      card: okResponse({ subscription_id: 's1', renews_at: LATER_MS }),
      ...followUpResponses,
    })
    expect(await undoCancellation(subscriptionFields)).toBeNull()
    expect(firstRequest(requests).path).toMatch(/\/services\/reactivate\/card$/)
    expect($cancellationResult.get()).toBeNull()
  })

  test('reuses its idempotency key after a lost response, and changes it once the outcome is known', async () => {
    const readIdempotencyKey = (requests: ReturnType<typeof stubApiResponses>) => firstRequest(requests).body['intent']
    const first = readIdempotencyKey(await loseResponse())
    const again = stubApiResponses({ card: cancellationResponse, ...followUpResponses })
    expect(await cancelPlan(subscriptionFields, 'end', null)).toBeNull()
    expect(readIdempotencyKey(again)).toBe(first)
    const next = stubApiResponses({ card: cancellationResponse, ...followUpResponses })
    await cancelPlan(subscriptionFields, 'end', null)
    expect(readIdempotencyKey(next)).not.toBe(first)

    async function loseResponse() {
      const requests = stubApiResponses({ card: null, ...followUpResponses })
      expect((await cancelPlan(subscriptionFields, 'end', null))?.text).toSatisfy(statesUnknownResult)
      return requests
    }
  })

  test('of a plan changed elsewhere reports the change in place and cancels nothing', async () => {
    stubApiResponses({ card: { code: 'stale', status: 409 }, ...followUpResponses })
    expect(await cancelPlan(subscriptionFields, 'end', null)).toMatchObject({
      inPlace: true,
      text: await readRejection('stale'),
    })
    expect($cancellationResult.get()).toBeNull()
  })

  test('shows a distinct message for each rejection reason', async () => {
    const texts: string[] = []
    for (const code of ['stale', 'ends', 'busy', 'intent', '404', 'odd']) texts.push(await readRejection(code))
    expect(areDistinct(texts)).toBe(true)
    expect(texts.filter(statesUnknownResult)).toEqual([])
  })

  test('reloads which cameras are covered', async () => {
    const wire = { device_model: 'PL-CAM-V1', device_order: 0, device_category: 'camera', role: 1 }
    $devices.set({ state: 'ready', devices: [toDevice({ ...wire, device_id: 'a', nickname: 'a' })] })
    const requests = stubApiResponses({
      card: cancellationResponse,
      ...followUpResponses,
      batch_get_bindings: okResponse({ bindings: [] }),
    })
    await cancelPlan(subscriptionFields, 'now', null)
    expect(requests).toContainEqual(expect.objectContaining({ body: { device_macs: ['a'] } }))
    $devices.set({ state: 'loading' })
  })

  test.each([500, 502, 504])('has an unknown outcome after a server error %i, and can be retried', async (code) => {
    stubApiResponses({ card: { code }, ...followUpResponses })
    const text = (await cancelPlan(subscriptionFields, 'end', null))?.text
    expect(text?.startsWith(findCatalogEntry(code)?.text ?? '-')).toBe(true)
    expect(text).toSatisfy(statesUnknownResult)
  })

  test('can be a pause for several months that ends on request', async () => {
    const answer = okResponse({ subscription_id: 's1', paused_until: LATER_MS, renews_at: LATER_MS })
    const paused = stubApiResponses({ pause: answer, ...followUpResponses })
    expect(await pausePlanForMonths(subscriptionFields, 2)).toBeNull()
    expect(firstRequest(paused).body).toMatchObject({ months: 2, revision: 3 })
    const resumed = stubApiResponses({
      resume: okResponse({ ...answer.data, paused_until: null }),
      ...followUpResponses,
    })
    expect(await resumePausedPlan(subscriptionFields)).toBeNull()
    expect(firstRequest(resumed).body).toMatchObject({ subscription_id: 's1' })
  })
})

describe('an open invoice', () => {
  test('is paid with the chosen payment method', async () => {
    const requests = stubApiResponses({
      'pay-open': okResponse({ state: 'done', subscription_id: 's1', paid: 1081 }),
      ...followUpResponses,
    })
    expect(await payOpenAmount(subscriptionFields, 'm2')).toBeNull()
    expect(firstRequest(requests).body).toMatchObject({ method_id: 'm2', revision: 3 })
  })

  test('that the bank declines shows the reason from the error catalog', async () => {
    stubApiResponses({ 'pay-open': { code: 4221 }, ...followUpResponses })
    expect(await payOpenAmount(subscriptionFields, 'm2')).toMatchObject({
      code: '4221',
      text: expect.stringContaining(findCatalogEntry('4221')?.text ?? '-') as unknown,
    })
  })

  test.each([
    { code: 'gateway', status: 503 },
    { code: 'no_method', status: 409 },
  ])('that could not be paid reports no charge: %j', async (answer) => {
    stubApiResponses({ 'pay-open': answer, ...followUpResponses })
    const text = (await payOpenAmount(subscriptionFields, 'm2'))?.text ?? ''
    expect(text).toSatisfy(statesNoCharge)
    expect(areDistinct([text, await readRejection('odd')])).toBe(true)
  })

  test('is polled while the bank takes its time, until its final state', async () => {
    const pending = okResponse({ state: 'pending', process_id: 'p1' })
    stubApiResponses({
      'pay-open': pending,
      get_process_task: okResponse({ state: 'failed', code: '4225', msg: '' }),
      ...followUpResponses,
    })
    expect(await payOpenAmount(subscriptionFields, 'm2')).toMatchObject({ code: '4225' })
  })
})

describe('free trial extension', () => {
  test('SUB-15 CALL-15 shows how far the trial can be extended, and offers nothing while that is unknown', async () => {
    const extension = { subscription_id: 's1', used: 7, maximum: 14, until: LATER_MS }
    const requests = stubApiResponses({ extension: okResponse({ extension }) })
    await loadTrialExtension()
    expect([firstRequest(requests).path.endsWith('/services/extension'), $trialExtension.get()]).toEqual([
      true,
      extension,
    ])
    stubApiResponses({ extension: null })
    $trialExtension.set(null)
    await loadTrialExtension()
    expect($trialExtension.get()).toBeNull()
  })

  test('adds days, and shows the catalog error beyond the maximum', async () => {
    stubApiResponses({ extend: okResponse({ used: 7, maximum: 14, until: LATER_MS }), ...followUpResponses })
    expect(await requestTrialExtension('s1')).toBeNull()
    expect($trialExtension.get()).toMatchObject({ subscription_id: 's1', used: 7 })
    stubApiResponses({ extend: { code: 4302, status: 409 }, ...followUpResponses })
    expect(await requestTrialExtension('s1')).toMatchObject({
      code: '4302',
      inPlace: true,
      text: findCatalogEntry('4302')?.text,
    })
  })
})

test('SUB-16 the service update flag is true except during a change', async () => {
  expect($serviceUpdateStatus.get()).toBe(true)
  stubApiResponses({ resume: null, ...followUpResponses })
  const done = resumePausedPlan(subscriptionFields)
  expect($serviceUpdateStatus.get()).toBe(false)
  await done
  expect($serviceUpdateStatus.get()).toBe(true)
})
