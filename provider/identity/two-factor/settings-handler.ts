import { isDemo } from '../../accounts/account-rows.ts'
import type Provider from 'oidc-provider'
import type { Env } from '../../env.ts'
import { redisplayForm, signedInPage, type SignedInPageResponse, type Visit } from '../pages/signed-in-page.ts'
import type { SignInError } from '../sign-in/check-credentials.ts'
import { confirmPassword } from '../password/confirm-password.ts'
import { FACTOR_PATH, factorSentencePage, newCodesPage, offPage, onPage, setUpPage } from './settings-pages.ts'
import { checkFactor, readFactorKey, keyPurpose } from './verify-second-factor.ts'
import { newKey, newRecoveryCodes, recoveryHash } from './one-time-codes.ts'
import {
  startSecondFactorSetup,
  dropFactor,
  enableFactor,
  findSecondFactor,
  putRecoveryCodes,
  type FactorRow,
} from './second-factor-rows.ts'
import { encryptText } from '../../platform/crypto/encrypt-text.ts'

const TITLE = 'Your second factor'
const DEMO =
  'This is a demo account that many people sign in to, so it has no second factor. An account of your own can have one.'
const DONE = 'From now on signing in asks for a code; every other device has been signed out.'
const OFF = 'Your password alone signs you in again; every other device has been signed out.'
const TICK_FIRST = 'Tick the box once you have put the codes away. These are new codes; the ones before open nothing.'
const WRONG = 'That password or code is not right. Check it and try again.'

const CODE = /^\d{6}$/
const RECOVERY_CODE = /^[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}$/i

async function freshCodes({ env, account: { userId } }: Visit): Promise<string[]> {
  const codes = newRecoveryCodes()
  await putRecoveryCodes(
    env.DB,
    userId,
    codes.map((code) => recoveryHash(userId, code)),
  )
  return codes
}

const checkPassword = (visit: Visit, password: string) =>
  confirmPassword(visit.env, visit, { password, wrong: WRONG }, visit.now)

/** Step 1: shows the key after a password check. */
async function startSetup(visit: Visit): Promise<SignedInPageResponse> {
  const { env, account, whose: pageAccount, form, now } = visit
  const wrong = await checkPassword(visit, form.get('password') ?? '')
  if (wrong !== null) return redisplayForm(offPage(pageAccount, wrong.error), wrong)
  const key = newKey()
  await startSecondFactorSetup(
    env.DB,
    account.userId,
    await encryptText(env.FACTOR_KEY, keyPurpose(account.userId), key),
    now,
  )
  return { html: setUpPage(pageAccount, { key, typed: '', codes: null, error: null }) }
}

/** Handles steps 2 and 3 of the setup. Sign-in requires the factor only after step 3. */
async function continueSetup(visit: Visit, factor: FactorRow): Promise<SignedInPageResponse> {
  const { env, account, whose: pageAccount, ip, known: knownBrowserId, form, now } = visit
  const { userId } = account
  const key = await readFactorKey(env, userId, factor)
  if (form.get('step') === 'code') {
    const typed = form.get('code') ?? ''
    const wrong = await checkFactor(env, { userId, ip, known: knownBrowserId, factor }, { way: 'code', typed }, now)
    if (wrong !== null)
      return redisplayForm(setUpPage(pageAccount, { key, typed: '', codes: null, error: wrong.error }), wrong)
    return { html: setUpPage(pageAccount, { key, typed, codes: await freshCodes(visit), error: null }) }
  }
  if (form.get('step') !== 'on' || factor.codesLeft === 0)
    return { html: setUpPage(pageAccount, { key, typed: '', codes: null, error: null }) }
  if (form.get('kept') !== '1')
    return { html: setUpPage(pageAccount, { key, typed: '', codes: await freshCodes(visit), error: TICK_FIRST }) }
  await enableFactor(env.DB, userId, now)
  return {
    html: factorSentencePage('Your second factor is on', DONE, pageAccount),
    noted: 'second-factor-on',
    ended: true,
  }
}

/** Checks the typed value as a one-time code or a recovery code if it has that format, otherwise as the password. */
async function reauthenticate(visit: Visit, factor: FactorRow): Promise<SignInError | null> {
  const { env, account, ip, known: knownBrowserId, form, now } = visit
  const typed = (form.get('password') ?? '').trim()
  const way = CODE.test(typed) ? 'code' : RECOVERY_CODE.test(typed) ? 'recovery' : null
  if (way !== null)
    return await checkFactor(env, { userId: account.userId, ip, known: knownBrowserId, factor }, { way, typed }, now)
  return await checkPassword(visit, form.get('password') ?? '')
}

async function change(visit: Visit, factor: FactorRow): Promise<SignedInPageResponse> {
  const { whose: pageAccount, form } = visit
  const step = form.get('step')
  if (step !== 'off' && step !== 'renew') return { html: onPage(pageAccount, factor.codesLeft, null) }
  const wrong = await reauthenticate(visit, factor)
  if (wrong !== null) return redisplayForm(onPage(pageAccount, factor.codesLeft, wrong.error), wrong)
  if (step === 'renew') return { html: newCodesPage(pageAccount, await freshCodes(visit)), noted: 'recovery-codes' }
  await dropFactor(visit.env.DB, visit.account.userId)
  return {
    html: factorSentencePage('Your second factor is off', OFF, pageAccount),
    noted: 'second-factor-off',
    ended: true,
  }
}

async function answer(visit: Visit): Promise<SignedInPageResponse> {
  const { env, account, whose: pageAccount, form, now } = visit
  if (await isDemo(env.DB, account.userId)) return { html: factorSentencePage(TITLE, DEMO, pageAccount) }
  const factor = await findSecondFactor(env.DB, account.userId, now)
  if (factor?.enabledAt != null) return await change(visit, factor)
  if (form.get('step') === 'begin') return await startSetup(visit)
  return factor === null || !form.has('step')
    ? { html: offPage(pageAccount, null) }
    : await continueSetup(visit, factor)
}

/** `/account/second-factor`: a user signed in at the provider sets it up, renews recovery codes or turns it off. */
export const secondFactor = (provider: Provider, env: Env) =>
  signedInPage(provider, env, {
    path: FACTOR_PATH,
    sentence: (text, pageAccount) => factorSentencePage(TITLE, text, pageAccount),
    answer,
  })
