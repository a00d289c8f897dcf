import type Provider from 'oidc-provider'
import { LEAVE_DAYS, LEAVE_PATH } from '../../../contract/account/account-deletion.ts'
import type { Env } from '../../env.ts'
import { beginLeave, undoLeave } from '../../accounts/deletion/schedule-deletion.ts'
import { leavesAtOf } from '../../accounts/deletion/deletion-date-rows.ts'
import { again, visited, type Answer, type Visit } from '../pages/signed-in-page.ts'
import type { Refused } from '../sign-in/check-credentials.ts'
import { isDemo } from '../../accounts/account-rows.ts'
import { factorOf, type FactorRow } from '../two-factor/second-factor-rows.ts'
import type { Whose } from '../pages/account-page-frame.ts'
import { requestOptions } from '../passkeys/webauthn-ceremonies.ts'
import { newChallenge, spendChallenge, type Purpose } from '../passkeys/challenges.ts'
import type { PasskeyAsk } from '../passkeys/passkey-forms.ts'
import { passkeysOf } from '../passkeys/passkey-rows.ts'
import { relyingParty, type RelyingParty } from '../passkeys/relying-party.ts'
import { SCRIPT_PATH } from '../passkeys/browser-script.ts'
import { leaveFactsOf } from './deletion-summary.ts'
import {
  confirmPage,
  endsPlans,
  leaveSentencePage,
  leavingPage,
  PLANS_STAY,
  provePage,
  type Shown,
} from './deletion-pages.ts'
import { proofOf, proveByPasskey, proveByPassword } from './reauthenticate.ts'

const TITLE = 'Delete my account'
const DEMO =
  'This is a demo account that many people sign in to, so it cannot be deleted. An account of your own can be.'
const STALE = 'That took longer than five minutes, or was sent twice. Nothing was deleted. Sign in again.'
const TOO_LATE = 'Nothing is to be undone here: the account was to stay already, or its last day is over.'
const DAY_MS = 86_400_000

/** What says that the sign-in was right, five minutes and once. */
const confirmOf = (userId: string): Purpose => `leave of ${userId}`

interface LeaveVisit extends Visit {
  readonly rp: RelyingParty | null
  readonly factor: FactorRow | null
}

async function shown({ env, account, whose, now }: Visit, error: string | null): Promise<Shown> {
  const facts = await leaveFactsOf(env, account.userId, now)
  return { whose, facts, until: now + LEAVE_DAYS * DAY_MS, error }
}

async function askForPasskey({ env, rp, account, now }: LeaveVisit): Promise<PasskeyAsk | null> {
  if (rp === null || (await passkeysOf(env.DB, account.userId)).length === 0) return null
  const { challenge, ticket } = await newChallenge(env, proofOf(account.userId), now)
  return { ticket, options: requestOptions(rp, challenge) }
}

async function ask(visit: LeaveVisit, wrong: Refused | null): Promise<Answer> {
  const asked = { hasFactor: visit.factor !== null, passkey: await askForPasskey(visit) }
  const html = provePage(await shown(visit, wrong?.error ?? null), asked)
  return wrong === null ? { html } : again(html, wrong)
}

/** The facts once more, for whoever has signed in again. */
async function confirm(visit: LeaveVisit): Promise<Answer> {
  const { env, account, form, rp, factor, now } = visit
  const wrong =
    rp !== null && form.has('credential') ? await proveByPasskey(visit, rp) : await proveByPassword(visit, factor)
  if (wrong !== null) return await ask(visit, wrong)
  const { ticket } = await newChallenge(env, confirmOf(account.userId), now)
  return { html: confirmPage(await shown(visit, null), ticket) }
}

async function begin(visit: LeaveVisit): Promise<Answer> {
  const { env, account, whose, form, now } = visit
  const isMeant = await spendChallenge(env, confirmOf(account.userId), form.get('ticket') ?? '', now)
  if (isMeant === null) return await ask(visit, { state: 'refused', status: 200, error: STALE })
  const until = await beginLeave(env, account, now)
  const { facts } = await shown(visit, null)
  return { html: leavingPage({ whose, facts, until }), noted: 'account-leaves', ended: true }
}

async function undo(visit: Visit): Promise<Answer> {
  const { env, account, whose, now } = visit
  if (!(await undoLeave(env, account.userId, now))) return { html: leaveSentencePage(TITLE, TOO_LATE, whose) }
  const { facts } = await shown(visit, null)
  const said = `Nothing was removed. ${endsPlans(facts) ? PLANS_STAY : ''}`
  return { html: leaveSentencePage('Your account stays', said, whose), noted: 'account-stays' }
}

async function answer(visit: LeaveVisit): Promise<Answer> {
  const { env, account, form } = visit
  const step = form.get('step')
  if (step === 'undo') return await undo(visit)
  const until = await leavesAtOf(env.DB, account.userId)
  if (until !== null) {
    // What was cut off when it began is done now.
    await beginLeave(env, { userId: account.userId, email: account.email }, visit.now)
    return { html: leavingPage({ ...(await shown(visit, null)), until }) }
  }
  if (step === 'delete') return await begin(visit)
  // The form of the ceremony is sent by the script, which names no step.
  return step === 'prove' || form.has('credential') ? await confirm(visit) : await ask(visit, null)
}

/** `/account/delete`: whoever is signed in at the provider, and signs in again, deletes the account, and undoes that for 30 days. */
export function deleteAccount(provider: Provider, env: Env) {
  const rp = relyingParty(env)
  return visited(provider, env, {
    path: LEAVE_PATH,
    script: rp === null ? undefined : rp.origin + SCRIPT_PATH,
    sentence: (text: string, whose: Whose) => leaveSentencePage(TITLE, text, whose),
    answer: async (visit) => {
      const { account, whose, now } = visit
      if (await isDemo(env.DB, account.userId)) return { html: leaveSentencePage(TITLE, DEMO, whose) }
      const factor = await factorOf(env.DB, account.userId, now)
      return await answer({ ...visit, rp, factor: factor?.enabledAt == null ? null : factor })
    },
  })
}
