import { atom } from 'nanostores'
import type { Call, ResponseOf } from '../../../contract/wire/call.ts'
import {
  cancelSubscription,
  type CancelReason,
  getCancellationPreview,
  type CancellationPreview,
  type CancellationTiming,
  pausePlan,
  payOpenInvoice,
  reactivateSubscription,
  resumePlan,
  getTrialExtensions,
  extendTrial,
} from '../../../contract/billing/cancellation.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { getPurchaseTask } from '../../../contract/billing/purchase.ts'
import { request } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { isSubscriptionClosed } from '../../domain/copy/subscription-status.ts'
import { getTaskPollDelayMs } from '../../domain/billing/task-poll-delay.ts'
import { discardKeyIfFinal, getIdempotencyKey } from './idempotency-keys.ts'
import { loadPaymentMethods } from './payment-methods.ts'
import { findFailureEntry } from '../shell/failure-text.ts'
import { type Failure, type Outcome, showFailure } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { $planBeingCanceled, closeCancellation } from './cancellation-step.ts'
import { reloadLicenseAssignments } from './load-license-assignments.ts'
import { $subscriptions, reloadSubscriptions, runServiceChange } from './subscriptions.ts'

export type CancellationPreviewState =
  { state: 'loading' } | { state: 'ready'; leaving: CancellationPreview } | { state: 'failed'; failure: Failure }

export const $cancellationPreview = atom<CancellationPreviewState>({ state: 'loading' })

/** Result of the last cancellation on this page; null if there was none, or after it was undone. */
export const $cancellationResult = atom<ResponseOf<typeof cancelSubscription>['data'] | null>(null)

type SubscriptionKey = Pick<Subscription, 'subscription_id' | 'revision' | 'billing_provider'>

const PREVIEW_FAILED_TEXT = 'We couldn’t load the cancellation details. Nothing has changed on your account.'
const NO_RESPONSE_TEXT = 'We didn’t get a response, so we can’t tell if this went through. It’s safe to try again.'
const SERVER_FAILED_TEXT = 'We can’t tell if this went through. It’s safe to try again.'
const REJECTION_TEXTS: Readonly<Record<string, string>> = {
  stale:
    'Your plan was changed in another tab or on another device, so we didn’t make this change. Check the plan, then try again.',
  ends: 'This plan ends automatically. We didn’t change anything.',
  busy: 'Another change to your account is still in progress. We didn’t change anything. Try again shortly.',
  gateway: 'We couldn’t reach the payment provider. You haven’t been charged. Try again shortly.',
  no_method: 'You don’t have a payment method yet, so you haven’t been charged. Add one, then try again.',
  404: 'This plan has ended. We didn’t change anything.',
  intent: 'This page was out of date. We didn’t change anything. Check your plan, then try again.',
}

/** Returns the sentence about the effect of a failure on plan and money; '' if there is none. */
function getFallbackText({ code, status }: RequestFailure): string {
  const refusalText = REJECTION_TEXTS[code]
  if (refusalText !== undefined) return refusalText
  if (status === 0) return NO_RESPONSE_TEXT
  return status >= 500 ? SERVER_FAILED_TEXT : ''
}

/**
 * Returns the failure for display in place. Appends the effect on plan and money to the sentence of the error catalog.
 */
function toInPlaceFailure(failure: Failure): Failure {
  const [addition, hasCatalogEntry] = [getFallbackText(failure), findFailureEntry(failure) !== undefined]
  const mustAdd = addition !== '' && hasCatalogEntry && !failure.text.includes(addition)
  return { ...failure, inPlace: true, text: mustAdd ? `${failure.text} ${addition}` : failure.text }
}

/** True if the failure means that the plan has changed or ended since the page loaded it. */
const isOutdated = ({ status }: RequestFailure) => status === 404 || status === 409

/**
 * Loads the preview of a cancellation. Discards the response if the preview of another plan was requested in the
 * meantime.
 */
export async function loadCancellationPreview(subscription_id: string): Promise<void> {
  const current = $cancellationPreview.get()
  if (current.state !== 'ready' || current.leaving.subscription_id !== subscription_id)
    $cancellationPreview.set({ state: 'loading' })
  requestedSubscriptionId = subscription_id
  const response = await request(getCancellationPreview, { subscription_id })
  if (!response.ok && isOutdated(response)) await reloadSubscriptions()
  if (requestedSubscriptionId !== subscription_id) return
  if (response.ok) return $cancellationPreview.set({ state: 'ready', leaving: response.data })
  const outdatedText = isOutdated(response) ? REJECTION_TEXTS[response.code] : undefined
  const failure = showFailure('place', response, outdatedText ?? PREVIEW_FAILED_TEXT)
  $cancellationPreview.set({
    state: 'failed',
    failure: outdatedText === undefined ? failure : { ...failure, text: outdatedText },
  })
  if (outdatedText !== undefined) closeIfPlanEnded(subscription_id, outdatedText)
}
let requestedSubscriptionId = ''

function closeIfPlanEnded(id: string, reasonText: string): void {
  const subs = $subscriptions.get()
  if (subs.state !== 'ready' || $planBeingCanceled.get()?.id !== id) return
  const subscription = subs.subscriptions.find(({ subscription_id }) => subscription_id === id)
  if (subscription && !isSubscriptionClosed(subscription)) return
  closeCancellation()
  showToast('warning', reasonText)
}

async function sendChange<T>(
  { ledger }: Pick<Call, 'ledger'>,
  fingerprint: string,
  send: (intent: string) => Promise<Result<T>>,
): Promise<Outcome<T>> {
  const response = await runServiceChange(() => send(getIdempotencyKey(ledger, fingerprint)))
  discardKeyIfFinal(ledger, response)
  await reloadSubscriptions()
  void reloadLicenseAssignments()
  void loadPaymentMethods()
  return response.ok ? response : toInPlaceFailure(showFailure('toast', response, getFallbackText(response)))
}

const toSubscriptionFields = ({ subscription_id, revision }: SubscriptionKey) => ({ subscription_id, revision })
const createRequestFingerprint = ({ subscription_id, revision }: SubscriptionKey, ...more: unknown[]) =>
  [subscription_id, revision, ...more].join(' ')
const toFailureOrNull = (result: Outcome<unknown>): Failure | null => (result.ok ? null : result)

export async function cancelPlan(
  sub: SubscriptionKey,
  timing: CancellationTiming,
  reason: CancelReason | null,
): Promise<Failure | null> {
  const params = { billing_provider: sub.billing_provider }
  const response = await sendChange(cancelSubscription, createRequestFingerprint(sub, timing, reason), (intent) =>
    request(cancelSubscription, { ...toSubscriptionFields(sub), intent, way: timing, reason }, { params }),
  )
  if (response.ok) $cancellationResult.set(response.data)
  return toFailureOrNull(response)
}

export async function undoCancellation(sub: SubscriptionKey): Promise<Failure | null> {
  const params = { billing_provider: sub.billing_provider }
  const response = await sendChange(reactivateSubscription, createRequestFingerprint(sub), (intent) =>
    request(reactivateSubscription, { ...toSubscriptionFields(sub), intent }, { params }),
  )
  if (response.ok) $cancellationResult.set(null)
  return toFailureOrNull(response)
}

export const pausePlanForMonths = async (sub: SubscriptionKey, months: number): Promise<Failure | null> =>
  toFailureOrNull(
    await sendChange(pausePlan, createRequestFingerprint(sub, months), (intent) =>
      request(pausePlan, { ...toSubscriptionFields(sub), intent, months }),
    ),
  )

export const resumePausedPlan = async (sub: SubscriptionKey): Promise<Failure | null> =>
  toFailureOrNull(
    await sendChange(resumePlan, createRequestFingerprint(sub), (intent) =>
      request(resumePlan, { ...toSubscriptionFields(sub), intent }),
    ),
  )

/**
 * Pays the open amount of a subscription with this payment method. Polls a pending charge until the charge succeeds or
 * fails, or the maximum wait has passed. Returns null on success.
 */
export async function payOpenAmount(sub: SubscriptionKey, method_id: string): Promise<Failure | null> {
  const result = await sendChange(payOpenInvoice, createRequestFingerprint(sub, method_id), async (intent) => {
    const response = await request(payOpenInvoice, { ...toSubscriptionFields(sub), intent, method_id }, { timeout: 0 })
    return response.ok && response.data.state === 'pending' ? await pollCharge(response.data.process_id) : response
  })
  $bankPage.set(null)
  return toFailureOrNull(result)
}

/** URL of the bank's confirmation page for the current payment; null if none is needed. */
export const $bankPage = atom<string | null>(null)

const POLL_TIMEOUT_FAILURE = { ok: false, status: 0, code: '', msg: '', kind: 'ERR_NETWORK' } as const

/** Polls a charge until the charge succeeds or fails. After the maximum wait, returns `POLL_TIMEOUT_FAILURE`. */
async function pollCharge(process_id: string): Promise<Result<unknown>> {
  const startedAt = Date.now()
  for (;;) {
    const response = await request(getPurchaseTask, { process_id })
    if (response.ok && response.data.state === 'done') return response
    if (response.ok && response.data.state === 'failed') {
      const { code, msg } = response.data
      return { ok: false, status: 400, code, msg, kind: 'ERR_BAD_REQUEST' }
    }
    if (response.ok && response.data.state === 'pending') $bankPage.set(response.data.action_url ?? null)
    const waitMs = getTaskPollDelayMs(Date.now() - startedAt)
    if (waitMs === null) return POLL_TIMEOUT_FAILURE
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/**
 * Days by which the running free trial was extended, and the maximum of these days; null before the load, or if no free
 * trial is running.
 */
export const $trialExtension = atom<ResponseOf<typeof getTrialExtensions>['data']['extension']>(null)

/**
 * Loads by how many days the free trial was extended, and the maximum of these days. After a failure, `$trialExtension`
 * stays unchanged.
 */
export async function loadTrialExtension(): Promise<void> {
  const response = await request(getTrialExtensions, {})
  if (response.ok) $trialExtension.set(response.data.extension)
}

export async function requestTrialExtension(subscription_id: string): Promise<Failure | null> {
  const response = await sendChange(extendTrial, `${subscription_id} ${$trialExtension.get()?.used ?? 0}`, (intent) =>
    request(extendTrial, { subscription_id, intent }),
  )
  if (response.ok) $trialExtension.set({ subscription_id, ...response.data })
  return toFailureOrNull(response)
}
