import { countAttempt, passkeyLimits } from '../../platform/rate-limits/attempt-limits.ts'
import type { Visit } from '../pages/signed-in-page.ts'
import { signInError, tooMany, type SignInError } from '../sign-in/check-credentials.ts'
import { confirmPassword } from '../password/confirm-password.ts'
import { checkFactor, type SecondFactorInput } from '../two-factor/verify-second-factor.ts'
import type { FactorRow } from '../two-factor/second-factor-rows.ts'
import { checkAssertion, readAssertion } from '../passkeys/webauthn-ceremonies.ts'
import { consumeChallenge, type Purpose } from '../passkeys/challenges.ts'
import { recordPasskeyUse, passkeyById } from '../passkeys/passkey-rows.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'

const WRONG = 'That password is not right. Nothing was deleted. Check it and try again.'
const WRONG_KEY = 'This passkey does not open this account. Nothing was deleted. Use your password instead.'
const STALE = 'That took longer than five minutes, or was sent twice. Nothing was deleted. Begin again.'
const CODE = /^\d{6}$/

/**
 * Purpose of a passkey challenge for re-authentication. Any signed-in browser gets this challenge, so it must be valid
 * for nothing else.
 */
export const reauthenticationPurpose = (userId: string): Purpose => `leave at ${userId}`

/** Checks the password, and the second factor if there is one; null if both are right. */
export async function reauthenticateWithPassword(visit: Visit, factor: FactorRow | null): Promise<SignInError | null> {
  const { env, account, ip, known: knownBrowserId, form, now } = visit
  const wrong = await confirmPassword(env, visit, { password: form.get('password') ?? '', wrong: WRONG }, now)
  if (wrong !== null || factor === null) return wrong
  const typed = (form.get('code') ?? '').trim()
  const way: SecondFactorInput['way'] = CODE.test(typed) ? 'code' : 'recovery'
  return await checkFactor(env, { userId: account.userId, ip, known: knownBrowserId, factor }, { way, typed }, now)
}

/** Checks a passkey of this account, which replaces password and second factor. */
export async function reauthenticateWithPasskey(visit: Visit, rp: RelyingParty): Promise<SignInError | null> {
  const { env, account, form, known: knownBrowserId, ip, now } = visit
  const attempt = await countAttempt(env, passkeyLimits(ip, knownBrowserId), now)
  if (attempt.waitMs > 0) return tooMany(attempt.waitMs)
  const assertion = readAssertion(form.get('credential') ?? '')
  const passkey = assertion && (await passkeyById(env.DB, assertion.id))
  if (assertion === null || passkey?.userId !== account.userId) return signInError(WRONG_KEY)
  const challenge = await consumeChallenge(env, reauthenticationPurpose(account.userId), form.get('passkey') ?? '', now)
  if (challenge === null) return signInError(STALE)
  const counter = await checkAssertion(rp, challenge, assertion, passkey)
  if (counter === null || !(await recordPasskeyUse(env.DB, passkey.id, counter, now))) return signInError(WRONG_KEY)
  await attempt.succeeded()
  return null
}
