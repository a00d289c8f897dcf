import { countAttempt, passkeyLimits } from '../../platform/rate-limits/attempt-limits.ts'
import type { SignedInRequest } from '../pages/signed-in-page.ts'
import { signInError, tooManyAttemptsError, type SignInError } from '../sign-in/check-credentials.ts'
import { confirmPassword } from '../password/confirm-password.ts'
import { checkSecondFactor, type SecondFactorInput } from '../two-factor/verify-second-factor.ts'
import type { SecondFactorRow } from '../two-factor/second-factor-rows.ts'
import { verifyAssertion, parseAssertion } from '../passkeys/webauthn-ceremonies.ts'
import { consumeChallenge, type ChallengePurpose } from '../passkeys/challenges.ts'
import { recordPasskeyUse, findPasskeyById } from '../passkeys/passkey-rows.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'

const WRONG_PASSWORD_MESSAGE = 'Wrong password. Nothing was deleted. Try again.'
const NO_CODE_MESSAGE = 'Enter a verification code or recovery code. Nothing was deleted.'
const WRONG_PASSKEY_MESSAGE =
  'This passkey didn’t work for this account. Nothing was deleted. Use your password instead.'
const STALE_MESSAGE = 'This page expired or was submitted twice. Nothing was deleted. Start over.'
const TOTP_CODE_PATTERN = /^\d{6}$/

/**
 * Purpose of a passkey challenge for re-authentication. It differs from the purpose of the confirmation ticket, because
 * a signed-in browser gets this challenge before any re-authentication.
 */
export const reauthenticationPurpose = (userId: string): ChallengePurpose => `leave at ${userId}`

/** Checks the password and, if `factor` is not null, the second factor. Returns null if the checks succeed. */
export async function reauthenticateWithPassword(
  pageRequest: SignedInRequest,
  factor: SecondFactorRow | null,
): Promise<SignInError | null> {
  const { env, account, ip, known: knownBrowserId, form, now } = pageRequest
  const wrong = await confirmPassword(
    env,
    pageRequest,
    { password: form.get('password') ?? '', wrong: WRONG_PASSWORD_MESSAGE },
    now,
  )
  if (wrong !== null || factor === null) return wrong
  const code = (form.get('code') ?? '').trim()
  if (code === '') return signInError(NO_CODE_MESSAGE)
  const method: SecondFactorInput['way'] = TOTP_CODE_PATTERN.test(code) ? 'code' : 'recovery'
  return await checkSecondFactor(
    env,
    { userId: account.userId, ip, known: knownBrowserId, factor },
    { way: method, typed: code },
    now,
  )
}

/** Checks a passkey of this account instead of password and second factor. Returns null if the passkey is valid. */
export async function reauthenticateWithPasskey(
  pageRequest: SignedInRequest,
  rp: RelyingParty,
): Promise<SignInError | null> {
  const { env, account, form, known: knownBrowserId, ip, now } = pageRequest
  const attempt = await countAttempt(env, passkeyLimits(ip, knownBrowserId), now)
  if (attempt.waitMs > 0) return tooManyAttemptsError(attempt.waitMs)
  const assertion = parseAssertion(form.get('credential') ?? '')
  const passkey = assertion && (await findPasskeyById(env.DB, assertion.id))
  if (assertion === null || passkey?.userId !== account.userId) return signInError(WRONG_PASSKEY_MESSAGE)
  const challenge = await consumeChallenge(env, reauthenticationPurpose(account.userId), form.get('passkey') ?? '', now)
  if (challenge === null) return signInError(STALE_MESSAGE)
  const counter = await verifyAssertion(rp, challenge, assertion, passkey)
  if (counter === null || !(await recordPasskeyUse(env.DB, passkey.id, counter, now)))
    return signInError(WRONG_PASSKEY_MESSAGE)
  await attempt.markSucceeded()
  return null
}
