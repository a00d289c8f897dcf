import type Provider from 'oidc-provider'
import { ACCOUNT_DELETION_DAYS, ACCOUNT_DELETION_PATH } from '../../../contract/account/account-deletion.ts'
import type { Env } from '../../env.ts'
import { scheduleDeletion, cancelDeletion } from '../../accounts/deletion/schedule-deletion.ts'
import { findDeletionDate } from '../../accounts/deletion/deletion-date-rows.ts'
import {
  redisplayForm,
  signedInPage,
  type SignedInPageResponse,
  type SignedInRequest,
} from '../pages/signed-in-page.ts'
import type { SignInError } from '../sign-in/check-credentials.ts'
import { isDemoAccount } from '../../accounts/account-rows.ts'
import { findSecondFactor, type SecondFactorRow } from '../two-factor/second-factor-rows.ts'
import type { PageAccount } from '../pages/account-page-frame.ts'
import { buildRequestOptions } from '../passkeys/webauthn-ceremonies.ts'
import { createChallenge, consumeChallenge, type ChallengePurpose } from '../passkeys/challenges.ts'
import type { PasskeyRequest } from '../passkeys/passkey-forms.ts'
import { listPasskeys } from '../passkeys/passkey-rows.ts'
import { getRelyingParty, type RelyingParty } from '../passkeys/relying-party.ts'
import { PASSKEY_SCRIPT_PATH } from '../passkeys/browser-script.ts'
import { getDeletionSummary } from './deletion-summary.ts'
import {
  confirmDeletionPage,
  hasPlans,
  deletionMessagePage,
  pendingDeletionPage,
  PLANS_STAY_CANCELED_MESSAGE,
  reauthenticationPage,
  type DeletionPageData,
} from './deletion-pages.ts'
import { reauthenticationPurpose, reauthenticateWithPasskey, reauthenticateWithPassword } from './reauthenticate.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const PAGE_TITLE = 'Delete my account'
const DEMO_MESSAGE = 'This is a shared demo account, so it can’t be deleted.'
const STALE_MESSAGE = 'This page expired or was submitted twice. Nothing was deleted. Confirm your identity again.'
const TOO_LATE_MESSAGE = 'We couldn’t undo the deletion. It was already undone, or the deadline has passed.'

/** Purpose of the single-use ticket that proves a re-authentication in the last five minutes. */
const confirmationPurpose = (userId: string): ChallengePurpose => `leave of ${userId}`

interface DeletionPageRequest extends SignedInRequest {
  readonly rp: RelyingParty | null
  readonly factor: SecondFactorRow | null
}

async function loadPageData(
  { env, account, pageAccount, now }: SignedInRequest,
  error: string | null,
): Promise<DeletionPageData> {
  const facts = await getDeletionSummary(env, account.userId, now)
  return { pageAccount, facts, deletionAt: now + ACCOUNT_DELETION_DAYS * DAY_MS, error }
}

async function createPasskeyRequest({ env, rp, account, now }: DeletionPageRequest): Promise<PasskeyRequest | null> {
  if (rp === null || (await listPasskeys(env.DB, account.userId)).length === 0) return null
  const { challenge, ticket } = await createChallenge(env, reauthenticationPurpose(account.userId), now)
  return { ticket, options: buildRequestOptions(rp, challenge) }
}

async function renderReauthentication(
  pageRequest: DeletionPageRequest,
  error: SignInError | null,
): Promise<SignedInPageResponse> {
  const factors = { hasFactor: pageRequest.factor !== null, passkey: await createPasskeyRequest(pageRequest) }
  const html = reauthenticationPage(await loadPageData(pageRequest, error?.error ?? null), factors)
  return error === null ? { html } : redisplayForm(html, error)
}

async function handleReauthentication(pageRequest: DeletionPageRequest): Promise<SignedInPageResponse> {
  const { env, account, form, rp, factor, now } = pageRequest
  const error =
    rp !== null && form.has('credential')
      ? await reauthenticateWithPasskey(pageRequest, rp)
      : await reauthenticateWithPassword(pageRequest, factor)
  if (error !== null) return await renderReauthentication(pageRequest, error)
  const { ticket } = await createChallenge(env, confirmationPurpose(account.userId), now)
  return { html: confirmDeletionPage(await loadPageData(pageRequest, null), ticket) }
}

async function submitDeletion(pageRequest: DeletionPageRequest): Promise<SignedInPageResponse> {
  const { env, account, pageAccount, form, now } = pageRequest
  const confirmation = await consumeChallenge(env, confirmationPurpose(account.userId), form.get('ticket') ?? '', now)
  if (confirmation === null)
    return await renderReauthentication(pageRequest, { state: 'refused', status: 200, error: STALE_MESSAGE })
  const deletionAt = await scheduleDeletion(env, account, now)
  const { facts } = await loadPageData(pageRequest, null)
  return { html: pendingDeletionPage({ pageAccount, facts, deletionAt }), activity: 'account-leaves', ended: true }
}

async function undoDeletion(pageRequest: SignedInRequest): Promise<SignedInPageResponse> {
  const { env, account, pageAccount, now } = pageRequest
  if (!(await cancelDeletion(env, account.userId, now)))
    return { html: deletionMessagePage(PAGE_TITLE, TOO_LATE_MESSAGE, pageAccount) }
  const { facts } = await loadPageData(pageRequest, null)
  const sentence = `Nothing was deleted. ${hasPlans(facts) ? PLANS_STAY_CANCELED_MESSAGE : ''}`
  return {
    html: deletionMessagePage('Your account won’t be deleted', sentence, pageAccount),
    activity: 'account-stays',
  }
}

async function handleStep(pageRequest: DeletionPageRequest): Promise<SignedInPageResponse> {
  const { env, account, form } = pageRequest
  const step = form.get('step')
  if (step === 'undo') return await undoDeletion(pageRequest)
  const deletionAt = await findDeletionDate(env.DB, account.userId)
  if (deletionAt !== null) {
    // Repeat the scheduling, in case an earlier request was interrupted after its first step.
    await scheduleDeletion(env, { userId: account.userId, email: account.email }, pageRequest.now)
    return { html: pendingDeletionPage({ ...(await loadPageData(pageRequest, null)), deletionAt }) }
  }
  if (step === 'delete') return await submitDeletion(pageRequest)
  // The passkey script submits `credential` without the field `step`.
  return step === 'prove' || form.has('credential')
    ? await handleReauthentication(pageRequest)
    : await renderReauthentication(pageRequest, null)
}

/**
 * Creates the handler of `/account/delete`, where a signed-in user re-authenticates and schedules the account deletion.
 * The user can undo it there until the account is deleted 30 days later.
 */
export function createAccountDeletionHandler(provider: Provider, env: Env) {
  const rp = getRelyingParty(env)
  return signedInPage(provider, env, {
    path: ACCOUNT_DELETION_PATH,
    script: rp === null ? undefined : rp.origin + PASSKEY_SCRIPT_PATH,
    renderSentence: (text: string, pageAccount: PageAccount) => deletionMessagePage(PAGE_TITLE, text, pageAccount),
    handle: async (pageRequest) => {
      const { account, pageAccount, now } = pageRequest
      if (await isDemoAccount(env.DB, account.userId))
        return { html: deletionMessagePage(PAGE_TITLE, DEMO_MESSAGE, pageAccount) }
      const factor = await findSecondFactor(env.DB, account.userId, now)
      return await handleStep({ ...pageRequest, rp, factor: factor?.enabledAt == null ? null : factor })
    },
  })
}
