import { atom } from 'nanostores'
import type { Call, ResponseOf } from '../../../contract/wire/call.ts'
import {
  cancelSubscription,
  type CancelReason,
  getCancellationPreview,
  type Leaving,
  type CancellationTiming,
  pausePlan,
  payOpen,
  reactivate,
  resumePlan,
  servicesExtension,
  useExtension,
} from '../../../contract/billing/cancellation.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { processTask } from '../../../contract/billing/purchase.ts'
import { request } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { isSubscriptionClosed } from '../../domain/copy/subscription-status.ts'
import { taskWait } from '../../domain/billing/task-poll-delay.ts'
import { endIntent, intentFor } from './idempotency-keys.ts'
import { loadPaymentMethods } from './payment-methods.ts'
import { findFailureEntry } from '../shell/failure-text.ts'
import { type Failure, type Outcome, showFailure } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { $leavingPlan, closeLeaving } from './cancellation-step.ts'
import { loadBound } from './load-license-assignments.ts'
import { $subscriptions, reloadSubscriptions, whileServiceChanges } from './subscriptions.ts'

/** State of loading the preview of a cancellation. */
export type LeavingState =
  { state: 'loading' } | { state: 'ready'; leaving: Leaving } | { state: 'failed'; failure: Failure }

export const $leaving = atom<LeavingState>({ state: 'loading' })

/** Result of the cancellation; null if no plan was canceled on this page. */
export const $left = atom<ResponseOf<typeof cancelSubscription>['data'] | null>(null)

type Sub = Pick<Subscription, 'subscription_id' | 'revision' | 'billing_provider'>

const NOT_KNOWN = 'It could not be asked what leaving this plan means. Nothing has changed on your account.'
/** Shown after a write without a response. */
const UNCLEAR = 'No answer came, so it is not known yet whether this went through. Press again: it happens once.'
/** Shown after a write that failed on the server. */
const NOT_SURE = 'It is not known yet whether this went through. Press again: it happens once.'
const REFUSED: Readonly<Record<string, string>> = {
  stale:
    'Your plan has changed meanwhile, in another tab or on another device. Nothing was done. Look at it and press again.',
  ends: 'This plan ends by itself. Nothing was done.',
  busy: 'Another change of your account is still under way. Nothing was done. Try again in a moment.',
  gateway: 'The bank could not be asked. Nothing was charged. Press again in a moment.',
  no_method: 'There is no payment method to pay with. Nothing was charged. Add one, and press again.',
  404: 'This plan is over. Nothing was done.',
  intent:
    'This page was out of step with what was asked before. Nothing was done now. Look at your plan and press again.',
}

/** Returns the message for a failure that is not in the error catalog. */
function fallbackText({ code, status }: RequestFailure): string {
  const refusalText = REFUSED[code]
  if (refusalText !== undefined) return refusalText
  if (status === 0) return UNCLEAR
  return status >= 500 ? NOT_SURE : ''
}

/** Adapts a failure for display in place: adds the effect on plan and money to the catalog's sentence. */
function inPlace(failure: Failure): Failure {
  const [own, hasCatalogEntry] = [fallbackText(failure), findFailureEntry(failure) !== undefined]
  const isSaid = own !== '' && hasCatalogEntry && !failure.text.includes(own)
  return { ...failure, inPlace: true, text: isSaid ? `${failure.text} ${own}` : failure.text }
}

/** True if the failure means that the plan has changed or ended since the page loaded it. */
const isPassed = ({ status }: RequestFailure) => status === 404 || status === 409

/** Loads the preview of a cancellation; only the response for the last requested plan counts. */
export async function loadLeaving(subscription_id: string): Promise<void> {
  const current = $leaving.get()
  if (current.state !== 'ready' || current.leaving.subscription_id !== subscription_id)
    $leaving.set({ state: 'loading' })
  requestedId = subscription_id
  const answer = await request(getCancellationPreview, { subscription_id })
  if (!answer.ok && isPassed(answer)) await reloadSubscriptions()
  if (requestedId !== subscription_id) return
  if (answer.ok) return $leaving.set({ state: 'ready', leaving: answer.data })
  const passed = isPassed(answer) ? REFUSED[answer.code] : undefined
  const failure = showFailure('place', answer, passed ?? NOT_KNOWN)
  $leaving.set({ state: 'failed', failure: passed === undefined ? failure : { ...failure, text: passed } })
  if (passed !== undefined) closeOver(subscription_id, passed)
}
let requestedId = ''

/** Closes the cancellation dialog if its plan has ended, and shows the reason as a toast. */
function closeOver(id: string, words: string): void {
  const subs = $subscriptions.get()
  if (subs.state !== 'ready' || $leavingPlan.get()?.id !== id) return
  const subscription = subs.subscriptions.find(({ subscription_id }) => subscription_id === id)
  if (subscription && !isSubscriptionClosed(subscription)) return
  closeLeaving()
  showToast('warning', words)
}

/**
 * Sends a change with its idempotency key and reloads the affected data. A failure is shown as a toast and in place.
 */
async function change<T>(
  { ledger }: Pick<Call, 'ledger'>,
  about: string,
  send: (intent: string) => Promise<Result<T>>,
): Promise<Outcome<T>> {
  const answer = await whileServiceChanges(() => send(intentFor(ledger, about)))
  endIntent(ledger, answer)
  await reloadSubscriptions()
  void loadBound()
  void loadPaymentMethods()
  return answer.ok ? answer : inPlace(showFailure('toast', answer, fallbackText(answer)))
}

const changed = ({ subscription_id, revision }: Sub) => ({ subscription_id, revision })
const requestFingerprint = ({ subscription_id, revision }: Sub, ...more: unknown[]) =>
  [subscription_id, revision, ...more].join(' ')
const toFailure = (answer: Outcome<unknown>): Failure | null => (answer.ok ? null : answer)

export async function cancelPlan(
  sub: Sub,
  way: CancellationTiming,
  reason: CancelReason | null,
): Promise<Failure | null> {
  const params = { billing_provider: sub.billing_provider }
  const answer = await change(cancelSubscription, requestFingerprint(sub, way, reason), (intent) =>
    request(cancelSubscription, { ...changed(sub), intent, way, reason }, { params }),
  )
  if (answer.ok) $left.set(answer.data)
  return toFailure(answer)
}

export async function undoCancel(sub: Sub): Promise<Failure | null> {
  const params = { billing_provider: sub.billing_provider }
  const answer = await change(reactivate, requestFingerprint(sub), (intent) =>
    request(reactivate, { ...changed(sub), intent }, { params }),
  )
  if (answer.ok) $left.set(null)
  return toFailure(answer)
}

export const pauseFor = async (sub: Sub, months: number): Promise<Failure | null> =>
  toFailure(
    await change(pausePlan, requestFingerprint(sub, months), (intent) =>
      request(pausePlan, { ...changed(sub), intent, months }),
    ),
  )

export const resumePausedPlan = async (sub: Sub): Promise<Failure | null> =>
  toFailure(
    await change(resumePlan, requestFingerprint(sub), (intent) => request(resumePlan, { ...changed(sub), intent })),
  )

/** Pays the open amount with this method; polls a slow charge until it completes. */
export async function payWhatIsOpen(sub: Sub, method_id: string): Promise<Failure | null> {
  const answer = await change(payOpen, requestFingerprint(sub, method_id), async (intent) => {
    const paid = await request(payOpen, { ...changed(sub), intent, method_id }, { timeout: 0 })
    return paid.ok && paid.data.state === 'pending' ? await pollTask(paid.data.process_id) : paid
  })
  $bankPage.set(null)
  return toFailure(answer)
}

/** URL of the bank's confirmation page for the current payment; null if none is needed. */
export const $bankPage = atom<string | null>(null)

const NO_END = { ok: false, status: 0, code: '', msg: '', kind: 'ERR_NETWORK' } as const

/**
 * Polls a charge until it succeeds or fails. After the maximum wait, returns the same failure as a call without a
 * response.
 */
async function pollTask(process_id: string): Promise<Result<unknown>> {
  const from = Date.now()
  for (;;) {
    const answer = await request(processTask, { process_id })
    if (answer.ok && answer.data.state === 'done') return answer
    if (answer.ok && answer.data.state === 'failed') {
      const { code, msg } = answer.data
      return { ok: false, status: 400, code, msg, kind: 'ERR_BAD_REQUEST' }
    }
    if (answer.ok && answer.data.state === 'pending') $bankPage.set(answer.data.action_url ?? null)
    const wait = taskWait(Date.now() - from)
    if (wait === null) return NO_END
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** Extension of the free trial; null if none is available or it has not loaded. */
export const $extension = atom<ResponseOf<typeof servicesExtension>['data']['extension']>(null)

/**
 * Loads how many free days were added to the trial, and how many can still be added. After a failure, the page offers
 * no extension.
 */
export async function loadExtension(): Promise<void> {
  const answer = await request(servicesExtension, {})
  if (answer.ok) $extension.set(answer.data.extension)
}

export async function requestTrialExtension(subscription_id: string): Promise<Failure | null> {
  const answer = await change(useExtension, `${subscription_id} ${$extension.get()?.used ?? 0}`, (intent) =>
    request(useExtension, { subscription_id, intent }),
  )
  if (answer.ok) $extension.set({ subscription_id, ...answer.data })
  return toFailure(answer)
}
