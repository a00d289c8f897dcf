import type Provider from 'oidc-provider'
import { LEAVE_DAYS, LEAVE_PATH } from '../../../contract/account/account-deletion.ts'
import type { Env } from '../../env.ts'
import { scheduleDeletion, undoLeave } from '../../accounts/deletion/schedule-deletion.ts'
import { findDeletionDate } from '../../accounts/deletion/deletion-date-rows.ts'
import { redisplayForm, signedInPage, type SignedInPageResponse, type Visit } from '../pages/signed-in-page.ts'
import type { SignInError } from '../sign-in/check-credentials.ts'
import { isDemo } from '../../accounts/account-rows.ts'
import { findSecondFactor, type FactorRow } from '../two-factor/second-factor-rows.ts'
import type { PageAccount } from '../pages/account-page-frame.ts'
import { requestOptions } from '../passkeys/webauthn-ceremonies.ts'
import { newChallenge, consumeChallenge, type Purpose } from '../passkeys/challenges.ts'
import type { PasskeyAsk } from '../passkeys/passkey-forms.ts'
import { listPasskeys } from '../passkeys/passkey-rows.ts'
import { relyingParty, type RelyingParty } from '../passkeys/relying-party.ts'
import { PASSKEY_SCRIPT_PATH } from '../passkeys/browser-script.ts'
import { getDeletionSummary } from './deletion-summary.ts'
import {
  confirmPage,
  endsPlans,
  leaveSentencePage,
  leavingPage,
  PLANS_STAY,
  reauthenticationPage,
  type DeletionPageData,
} from './deletion-pages.ts'
import { reauthenticationPurpose, reauthenticateWithPasskey, reauthenticateWithPassword } from './reauthenticate.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const TITLE = 'Delete my account'
const DEMO =
  'This is a demo account that many people sign in to, so it cannot be deleted. An account of your own can be.'
const STALE = 'That took longer than five minutes, or was sent twice. Nothing was deleted. Sign in again.'
const TOO_LATE = 'Nothing is to be undone here: the account was to stay already, or its last day is over.'

/** Purpose of the ticket that proves re-authentication: five minutes, single use. */
const confirmationPurpose = (userId: string): Purpose => `leave of ${userId}`

interface LeaveVisit extends Visit {
  readonly rp: RelyingParty | null
  readonly factor: FactorRow | null
}

async function loadPageData(
  { env, account, whose: pageAccount, now }: Visit,
  error: string | null,
): Promise<DeletionPageData> {
  const facts = await getDeletionSummary(env, account.userId, now)
  return { whose: pageAccount, facts, until: now + LEAVE_DAYS * DAY_MS, error }
}

async function createPasskeyRequest({ env, rp, account, now }: LeaveVisit): Promise<PasskeyAsk | null> {
  if (rp === null || (await listPasskeys(env.DB, account.userId)).length === 0) return null
  const { challenge, ticket } = await newChallenge(env, reauthenticationPurpose(account.userId), now)
  return { ticket, options: requestOptions(rp, challenge) }
}

async function renderReauthentication(visit: LeaveVisit, wrong: SignInError | null): Promise<SignedInPageResponse> {
  const factors = { hasFactor: visit.factor !== null, passkey: await createPasskeyRequest(visit) }
  const html = reauthenticationPage(await loadPageData(visit, wrong?.error ?? null), factors)
  return wrong === null ? { html } : redisplayForm(html, wrong)
}

/** Checks the re-authentication, then renders the facts again with the delete button. */
async function confirm(visit: LeaveVisit): Promise<SignedInPageResponse> {
  const { env, account, form, rp, factor, now } = visit
  const wrong =
    rp !== null && form.has('credential')
      ? await reauthenticateWithPasskey(visit, rp)
      : await reauthenticateWithPassword(visit, factor)
  if (wrong !== null) return await renderReauthentication(visit, wrong)
  const { ticket } = await newChallenge(env, confirmationPurpose(account.userId), now)
  return { html: confirmPage(await loadPageData(visit, null), ticket) }
}

async function submitDeletion(visit: LeaveVisit): Promise<SignedInPageResponse> {
  const { env, account, whose: pageAccount, form, now } = visit
  const isMeant = await consumeChallenge(env, confirmationPurpose(account.userId), form.get('ticket') ?? '', now)
  if (isMeant === null) return await renderReauthentication(visit, { state: 'refused', status: 200, error: STALE })
  const until = await scheduleDeletion(env, account, now)
  const { facts } = await loadPageData(visit, null)
  return { html: leavingPage({ whose: pageAccount, facts, until }), noted: 'account-leaves', ended: true }
}

async function undo(visit: Visit): Promise<SignedInPageResponse> {
  const { env, account, whose: pageAccount, now } = visit
  if (!(await undoLeave(env, account.userId, now))) return { html: leaveSentencePage(TITLE, TOO_LATE, pageAccount) }
  const { facts } = await loadPageData(visit, null)
  const sentence = `Nothing was removed. ${endsPlans(facts) ? PLANS_STAY : ''}`
  return { html: leaveSentencePage('Your account stays', sentence, pageAccount), noted: 'account-stays' }
}

async function answer(visit: LeaveVisit): Promise<SignedInPageResponse> {
  const { env, account, form } = visit
  const step = form.get('step')
  if (step === 'undo') return await undo(visit)
  const until = await findDeletionDate(env.DB, account.userId)
  if (until !== null) {
    // Completes a scheduled deletion whose first step was interrupted.
    await scheduleDeletion(env, { userId: account.userId, email: account.email }, visit.now)
    return { html: leavingPage({ ...(await loadPageData(visit, null)), until }) }
  }
  if (step === 'delete') return await submitDeletion(visit)
  // When the script submits a passkey response, the form has no `step` field.
  return step === 'prove' || form.has('credential') ? await confirm(visit) : await renderReauthentication(visit, null)
}

/**
 * `/account/delete`: a user signed in at the provider re-authenticates, then deletes the account; undo lasts 30 days.
 */
export function createAccountDeletionHandler(provider: Provider, env: Env) {
  const rp = relyingParty(env)
  return signedInPage(provider, env, {
    path: LEAVE_PATH,
    script: rp === null ? undefined : rp.origin + PASSKEY_SCRIPT_PATH,
    sentence: (text: string, pageAccount: PageAccount) => leaveSentencePage(TITLE, text, pageAccount),
    answer: async (visit) => {
      const { account, whose: pageAccount, now } = visit
      if (await isDemo(env.DB, account.userId)) return { html: leaveSentencePage(TITLE, DEMO, pageAccount) }
      const factor = await findSecondFactor(env.DB, account.userId, now)
      return await answer({ ...visit, rp, factor: factor?.enabledAt == null ? null : factor })
    },
  })
}
