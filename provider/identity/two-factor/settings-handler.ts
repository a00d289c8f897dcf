import { isDemoAccount } from '../../accounts/account-rows.ts'
import type Provider from 'oidc-provider'
import type { Env } from '../../env.ts'
import {
  redisplayForm,
  signedInPage,
  type SignedInPageResponse,
  type SignedInRequest,
} from '../pages/signed-in-page.ts'
import type { SignInError } from '../sign-in/check-credentials.ts'
import { confirmPassword } from '../password/confirm-password.ts'
import {
  SECOND_FACTOR_PATH,
  factorMessagePage,
  newRecoveryCodesPage,
  factorDisabledPage,
  factorEnabledPage,
  factorSetupPage,
} from './settings-pages.ts'
import { TWO_FACTOR_SCRIPT_PATH } from './browser-script.ts'
import { checkSecondFactor, readFactorKey, factorKeyPurpose } from './verify-second-factor.ts'
import { createTotpKey, createRecoveryCodes, hashRecoveryCode } from './one-time-codes.ts'
import {
  startSecondFactorSetup,
  deleteSecondFactor,
  enableSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
  type SecondFactorRow,
} from './second-factor-rows.ts'
import { encryptText } from '../../platform/crypto/encrypt-text.ts'

const TITLE = 'Two-step verification'
const DEMO_ACCOUNT_MESSAGE = 'This is a shared demo account. Create your own account to use two-step verification.'
const ENABLED_MESSAGE =
  'When you log in with your password, you’ll also need a code. You’ve been logged out on all other devices.'
const DISABLED_MESSAGE = 'You can log in with just your password again. You’ve been logged out on all other devices.'
const CONFIRM_SAVED_MESSAGE = 'Save these new codes, then check the box. Your earlier codes no longer work.'
const WRONG_PROOF_MESSAGE = 'Wrong password or code. Try again.'

const ONE_TIME_CODE_PATTERN = /^\d{6}$/
const RECOVERY_CODE_PATTERN = /^[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}$/i

async function renewRecoveryCodes({ env, account: { userId } }: SignedInRequest): Promise<string[]> {
  const codes = createRecoveryCodes()
  await replaceRecoveryCodes(
    env.DB,
    userId,
    codes.map((code) => hashRecoveryCode(userId, code)),
  )
  return codes
}

const checkPasswordEntry = (pageRequest: SignedInRequest, password: string) =>
  confirmPassword(pageRequest.env, pageRequest, { password, wrong: WRONG_PROOF_MESSAGE }, pageRequest.now)

async function startSetup(pageRequest: SignedInRequest): Promise<SignedInPageResponse> {
  const { env, account, pageAccount, form, now } = pageRequest
  const passwordError = await checkPasswordEntry(pageRequest, form.get('password') ?? '')
  if (passwordError !== null) return redisplayForm(factorDisabledPage(pageAccount, passwordError.error), passwordError)
  const key = createTotpKey()
  await startSecondFactorSetup(
    env.DB,
    account.userId,
    await encryptText(env.FACTOR_KEY, factorKeyPurpose(account.userId), key),
    now,
  )
  return { html: factorSetupPage(pageAccount, { key, typed: '', codes: null, error: null }) }
}

/** Handles steps 2 and 3 of the setup. Sign-in requires the second factor only after step 3. */
async function continueSetup(pageRequest: SignedInRequest, factor: SecondFactorRow): Promise<SignedInPageResponse> {
  const { env, account, pageAccount, ip, known: knownBrowserId, form, now } = pageRequest
  const { userId } = account
  const key = await readFactorKey(env, userId, factor)
  if (form.get('step') === 'code') {
    const typed = form.get('code') ?? ''
    const codeError = await checkSecondFactor(
      env,
      { userId, ip, known: knownBrowserId, factor },
      { way: 'code', typed },
      now,
    )
    if (codeError !== null)
      return redisplayForm(
        factorSetupPage(pageAccount, { key, typed: '', codes: null, error: codeError.error }),
        codeError,
      )
    return {
      html: factorSetupPage(pageAccount, { key, typed, codes: await renewRecoveryCodes(pageRequest), error: null }),
    }
  }
  if (form.get('step') !== 'on' || factor.codesLeft === 0)
    return { html: factorSetupPage(pageAccount, { key, typed: '', codes: null, error: null }) }
  if (form.get('kept') !== '1')
    return {
      html: factorSetupPage(pageAccount, {
        key,
        typed: '',
        codes: await renewRecoveryCodes(pageRequest),
        error: CONFIRM_SAVED_MESSAGE,
      }),
    }
  await enableSecondFactor(env.DB, userId, now)
  return {
    html: factorMessagePage('Two-step verification is on', ENABLED_MESSAGE, pageAccount),
    activity: 'second-factor-on',
    ended: true,
  }
}

/** Checks the typed value. Depending on its format, the value is a one-time code, a recovery code or the password. */
async function reauthenticate(pageRequest: SignedInRequest, factor: SecondFactorRow): Promise<SignInError | null> {
  const { env, account, ip, known: knownBrowserId, form, now } = pageRequest
  const typed = (form.get('password') ?? '').trim()
  const method = ONE_TIME_CODE_PATTERN.test(typed) ? 'code' : RECOVERY_CODE_PATTERN.test(typed) ? 'recovery' : null
  if (method !== null)
    return await checkSecondFactor(
      env,
      { userId: account.userId, ip, known: knownBrowserId, factor },
      { way: method, typed },
      now,
    )
  return await checkPasswordEntry(pageRequest, form.get('password') ?? '')
}

async function changeEnabledFactor(
  pageRequest: SignedInRequest,
  factor: SecondFactorRow,
): Promise<SignedInPageResponse> {
  const { pageAccount, form } = pageRequest
  const step = form.get('step')
  if (step !== 'off' && step !== 'renew') return { html: factorEnabledPage(pageAccount, factor.codesLeft, null) }
  const proofError = await reauthenticate(pageRequest, factor)
  if (proofError !== null)
    return redisplayForm(factorEnabledPage(pageAccount, factor.codesLeft, proofError.error), proofError)
  if (step === 'renew')
    return {
      html: newRecoveryCodesPage(pageAccount, await renewRecoveryCodes(pageRequest)),
      activity: 'recovery-codes',
    }
  await deleteSecondFactor(pageRequest.env.DB, pageRequest.account.userId)
  return {
    html: factorMessagePage('Two-step verification is off', DISABLED_MESSAGE, pageAccount),
    activity: 'second-factor-off',
    ended: true,
  }
}

async function handleFactorSettings(pageRequest: SignedInRequest): Promise<SignedInPageResponse> {
  const { env, account, pageAccount, form, now } = pageRequest
  if (await isDemoAccount(env.DB, account.userId))
    return { html: factorMessagePage(TITLE, DEMO_ACCOUNT_MESSAGE, pageAccount) }
  const factor = await findSecondFactor(env.DB, account.userId, now)
  if (factor?.enabledAt != null) return await changeEnabledFactor(pageRequest, factor)
  if (form.get('step') === 'begin') return await startSetup(pageRequest)
  return factor === null || !form.has('step')
    ? { html: factorDisabledPage(pageAccount, null) }
    : await continueSetup(pageRequest, factor)
}

/**
 * Creates the handler of `/account/second-factor`, where a signed-in user sets up or turns off the second factor, or
 * renews recovery codes.
 */
export const createSecondFactorSettingsHandler = (provider: Provider, env: Env) =>
  signedInPage(provider, env, {
    path: SECOND_FACTOR_PATH,
    script: env.PROVIDER_ORIGIN + TWO_FACTOR_SCRIPT_PATH,
    renderSentence: (text, pageAccount) => factorMessagePage(TITLE, text, pageAccount),
    handle: handleFactorSettings,
  })
