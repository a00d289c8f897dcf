import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { getCancellationPreview } from '../../../contract/billing/cancellation.ts'
import {
  $cancelStep,
  $cancelStepOf,
  $leavingPlan,
  closeLeaving,
  giveReason,
  openLeaving,
  restoreLeaving,
  setCancelStep,
} from '../../../src/stores/billing/cancellation-step.ts'
import {
  $extension,
  $leaving,
  $left,
  cancelPlan,
  requestTrialExtension,
  loadExtension,
  loadLeaving,
  pauseFor,
  payWhatIsOpen,
  resumePausedPlan,
  undoCancel,
} from '../../../src/stores/billing/cancellation.ts'
import { $serviceUpdateStatus } from '../../../src/stores/billing/subscriptions.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { answerWith } from '../../support/client.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { areDistinct, saysNoCharge, saysUnknown } from '../../support/facts.ts'

const sub = { subscription_id: 's1', revision: 3, billing_provider: 'card' }
const later = 1_800_000_000_000
const leaving = {
  ...{ subscription_id: 's1', revision: 3 },
  ways: [
    {
      ...{ way: 'end', ends_at: later, lines: [], subtotal: 0, tax: 0, total: 0, to_method: 0, to_balance: 0 },
      ...{ from_balance: 0, method: null, months: 0 },
    },
  ],
  clips: { shown: 10, shown_days: 30, kept: 1, kept_days: 1, bytes: 0, bills: 1 },
  offers: { pause_months: 3, fewer: null, other: null },
}
const ok = <T>(data: T) => ({ code: 200, data })
const responses = { user_1: ok({ subscriptions: [] }), recurring_info: null }
const left = ok({ subscription_id: 's1', ends_at: later, to_method: 0, to_balance: 0, bill: '' })
const sent = (requests: ReturnType<typeof answerWith>) => requests[0] as { path: string; body: Record<string, unknown> }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  $userId.set('user_1')
  closeLeaving()
  $left.set(null)
  while ($toast.get()) closeToast()
})

test('CANCEL-02 the cancellation step is a number, 1 by default, stored as `cancelStep`', () => {
  expect([$cancelStep.get(), typeof $cancelStep.get()]).toEqual([1, 'number'])
  setCancelStep(3)
  expect(localStorage.getItem('cancelStep')).toBe('3')
})

test('CANCEL-03 setting the cancellation step replaces and saves the value, for any number', () => {
  for (const step of [2, 4, 17, -1, 0.5]) {
    setCancelStep(step)
    expect([$cancelStep.get(), localStorage.getItem('cancelStep')]).toEqual([step, String(step)])
  }
})

test('OPEN-161 the cancellation step belongs to one subscription and restarts at 1 for another or after closing', () => {
  openLeaving('s1')
  setCancelStep(2)
  openLeaving('s1')
  expect($cancelStep.get()).toBe(2)
  openLeaving('s2')
  expect([$cancelStep.get(), $cancelStepOf.get(), localStorage.getItem('cancelStepOf')]).toEqual([1, 's2', 's2'])
  setCancelStep(3)
  closeLeaving()
  expect([$cancelStep.get(), $cancelStepOf.get(), $leavingPlan.get()]).toEqual([1, '', null])
})

test('the cancellation dialog reopens with its reason in the same tab, but in no other', () => {
  openLeaving('s1')
  giveReason('price')
  $leavingPlan.set(null)
  restoreLeaving()
  expect($leavingPlan.get()).toEqual({ id: 's1', reason: 'price' })
  $leavingPlan.set(null)
  sessionStorage.clear()
  restoreLeaving()
  expect($leavingPlan.get()).toBeNull()
})

/** Returns the text of a cancellation that the server rejects with `code`. */
async function readRejection(code: string): Promise<string> {
  answerWith({ card: { code, status: code === '404' ? 404 : 409 }, ...responses })
  return (await cancelPlan(sub, 'end', null))?.text ?? ''
}

describe('plan cancellation', () => {
  test('loads its preview and reports a failed load in place', async () => {
    expect(v.is(getCancellationPreview.response!, ok(leaving))).toBe(true)
    answerWith({ leaving: ok(leaving) })
    await loadLeaving('s1')
    expect($leaving.get()).toEqual({ state: 'ready', leaving })
    answerWith({ leaving: { code: 500, data: {} } })
    await loadLeaving('s2')
    expect($leaving.get()).toMatchObject({ state: 'failed', failure: { status: 500, inPlace: true } })
    expect($toast.get()).toBeNull()
  })

  test('reports a plan that has changed meanwhile and reloads the subscriptions', async () => {
    openLeaving('s1')
    const runs = { ...sub, sku: 'pro', status: 'trial', quantity: 1, period: 'monthly', renews_at: later }
    const requests = answerWith({
      leaving: { code: 'ends', status: 409 },
      user_1: ok({ subscriptions: [runs] }),
    })
    await loadLeaving('s1')
    expect(requests.at(-1)?.path).toMatch(/subscriptions\/user_1$/)
    expect([$leavingPlan.get()?.id, $toast.get()]).toEqual(['s1', null])
    const failed = $leaving.get()
    expect(failed).toMatchObject({ state: 'failed', failure: { text: await readRejection('ends') } })
  })

  test('of an ended plan closes the dialog and says so', async () => {
    openLeaving('s1')
    answerWith({ leaving: { code: 404 }, ...responses })
    await loadLeaving('s1')
    const text = $toast.get()?.text
    expect([$leavingPlan.get(), text]).toEqual([null, expect.stringMatching(/./)])
    expect(await readRejection('404')).toContain(text)
  })

  test('CANCEL-04 CALL-09 is sent to the subscription’s billing provider with revision, way and reason', async () => {
    const requests = answerWith({ card: left, ...responses })
    const done = cancelPlan(sub, 'month_end', 'price')
    expect($serviceUpdateStatus.get()).toBe(false)
    expect(await done).toBeNull()
    const { path, body } = sent(requests)
    expect(path).toMatch(/\/api\/v2\/cancel\/card$/)
    expect(body).toEqual({
      ...{ subscription_id: 's1', revision: 3 },
      way: 'month_end',
      reason: 'price',
      intent: body['intent'],
    })
    expect($left.get()).toEqual(left.data)
    // The page requests the account's subscriptions again.
    expect(requests.map((request) => request.path)).toContainEqual(expect.stringMatching(/subscriptions\/user_1$/))
  })

  test('CALL-07 is undone at the same billing provider', async () => {
    $left.set(left.data)
    const requests = answerWith({ card: ok({ subscription_id: 's1', renews_at: later }), ...responses })
    expect(await undoCancel(sub)).toBeNull()
    expect(sent(requests).path).toMatch(/\/services\/reactivate\/card$/)
    expect($left.get()).toBeNull()
  })

  test('reuses its idempotency key after a lost response, and changes it once the outcome is known', async () => {
    const readIdempotencyKey = (requests: ReturnType<typeof answerWith>) => sent(requests).body['intent']
    const first = readIdempotencyKey(await lost())
    const again = answerWith({ card: left, ...responses })
    expect(await cancelPlan(sub, 'end', null)).toBeNull()
    expect(readIdempotencyKey(again)).toBe(first)
    const next = answerWith({ card: left, ...responses })
    await cancelPlan(sub, 'end', null)
    expect(readIdempotencyKey(next)).not.toBe(first)

    async function lost() {
      const requests = answerWith({ card: null, ...responses })
      expect((await cancelPlan(sub, 'end', null))?.text).toSatisfy(saysUnknown)
      return requests
    }
  })

  test('of a plan changed elsewhere reports the change in place and cancels nothing', async () => {
    answerWith({ card: { code: 'stale', status: 409 }, ...responses })
    expect(await cancelPlan(sub, 'end', null)).toMatchObject({ inPlace: true, text: await readRejection('stale') })
    expect($left.get()).toBeNull()
  })

  test('shows a distinct message for each rejection reason', async () => {
    const texts: string[] = []
    for (const code of ['stale', 'ends', 'busy', 'intent', '404', 'odd']) texts.push(await readRejection(code))
    expect(areDistinct(texts)).toBe(true)
    expect(texts.filter(saysUnknown)).toEqual([])
  })

  test('reloads which cameras are covered', async () => {
    const wire = { device_model: 'PL-CAM-V1', device_order: 0, device_category: 'camera', role: 1 }
    $devices.set({ state: 'ready', devices: [toDevice({ ...wire, device_id: 'a', nickname: 'a' })] })
    const requests = answerWith({ card: left, ...responses, batch_get_bindings: ok({ bindings: [] }) })
    await cancelPlan(sub, 'now', null)
    expect(requests).toContainEqual(expect.objectContaining({ body: { device_macs: ['a'] } }))
    $devices.set({ state: 'loading' })
  })

  test.each([500, 502, 504])('has an unknown outcome after a server error %i, and can be retried', async (code) => {
    answerWith({ card: { code }, ...responses })
    const text = (await cancelPlan(sub, 'end', null))?.text
    expect(text?.startsWith(findCatalogEntry(code)?.text ?? '-')).toBe(true)
    expect(text).toSatisfy(saysUnknown)
  })

  test('can be a pause for several months that ends on request', async () => {
    const answer = ok({ subscription_id: 's1', paused_until: later, renews_at: later })
    const paused = answerWith({ pause: answer, ...responses })
    expect(await pauseFor(sub, 2)).toBeNull()
    expect(sent(paused).body).toMatchObject({ months: 2, revision: 3 })
    const resumed = answerWith({ resume: ok({ ...answer.data, paused_until: null }), ...responses })
    expect(await resumePausedPlan(sub)).toBeNull()
    expect(sent(resumed).body).toMatchObject({ subscription_id: 's1' })
  })
})

describe('an open invoice', () => {
  test('is paid with the chosen payment method', async () => {
    const requests = answerWith({ 'pay-open': ok({ state: 'done', subscription_id: 's1', paid: 1081 }), ...responses })
    expect(await payWhatIsOpen(sub, 'm2')).toBeNull()
    expect(sent(requests).body).toMatchObject({ method_id: 'm2', revision: 3 })
  })

  test('that the bank declines shows the reason from the error catalog', async () => {
    answerWith({ 'pay-open': { code: 4221 }, ...responses })
    expect(await payWhatIsOpen(sub, 'm2')).toMatchObject({
      code: '4221',
      text: expect.stringContaining(findCatalogEntry('4221')?.text ?? '-') as unknown,
    })
  })

  test.each([
    { code: 'gateway', status: 503 },
    { code: 'no_method', status: 409 },
  ])('that could not be paid reports no charge: %j', async (answer) => {
    answerWith({ 'pay-open': answer, ...responses })
    const text = (await payWhatIsOpen(sub, 'm2'))?.text ?? ''
    expect(text).toSatisfy(saysNoCharge)
    expect(areDistinct([text, await readRejection('odd')])).toBe(true)
  })

  test('is polled while the bank takes its time, until its final state', async () => {
    const pending = ok({ state: 'pending', process_id: 'p1' })
    answerWith({ 'pay-open': pending, get_process_task: ok({ state: 'failed', code: '4225', msg: '' }), ...responses })
    expect(await payWhatIsOpen(sub, 'm2')).toMatchObject({ code: '4225' })
  })
})

describe('free trial extension', () => {
  test('SUB-15 CALL-15 shows how far the trial can be extended, and offers nothing while that is unknown', async () => {
    const extension = { subscription_id: 's1', used: 7, maximum: 14, until: later }
    const requests = answerWith({ extension: ok({ extension }) })
    await loadExtension()
    expect([sent(requests).path.endsWith('/services/extension'), $extension.get()]).toEqual([true, extension])
    answerWith({ extension: null })
    $extension.set(null)
    await loadExtension()
    expect($extension.get()).toBeNull()
  })

  test('adds days, and shows the catalog error beyond the maximum', async () => {
    answerWith({ extend: ok({ used: 7, maximum: 14, until: later }), ...responses })
    expect(await requestTrialExtension('s1')).toBeNull()
    expect($extension.get()).toMatchObject({ subscription_id: 's1', used: 7 })
    answerWith({ extend: { code: 4302, status: 409 }, ...responses })
    expect(await requestTrialExtension('s1')).toMatchObject({
      code: '4302',
      inPlace: true,
      text: findCatalogEntry('4302')?.text,
    })
  })
})

test('SUB-16 the service update flag is true except during a change', async () => {
  expect($serviceUpdateStatus.get()).toBe(true)
  answerWith({ resume: null, ...responses })
  const done = resumePausedPlan(sub)
  expect($serviceUpdateStatus.get()).toBe(false)
  await done
  expect($serviceUpdateStatus.get()).toBe(true)
})
