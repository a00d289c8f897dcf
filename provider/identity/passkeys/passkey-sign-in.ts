import { findAccountById, maySignIn } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import { countAttempt, passkeyLimits } from '../../platform/rate-limits/attempt-limits.ts'
import {
  DEMO_ACCOUNT_MESSAGE,
  signInError,
  tooManyAttemptsError,
  type SignInError,
} from '../sign-in/check-credentials.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { readKnownBrowserCookie } from '../sign-in/known-browser.ts'
import { deleteExpiredOidcRows } from '../sign-in/sign-out.ts'
import { verifyAssertion, parseAssertion, buildRequestOptions } from './webauthn-ceremonies.ts'
import { createChallenge, consumeChallenge, type ChallengePurpose } from './challenges.ts'
import type { PasskeyRequest } from './passkey-forms.ts'
import { findPasskeyById, recordPasskeyUse } from './passkey-rows.ts'
import { getRelyingParty } from './relying-party.ts'

const UNKNOWN_PASSKEY_MESSAGE = 'No account matches this passkey. Try again or use your password.'
const EXPIRED_CHALLENGE_MESSAGE = 'This request expired or was submitted twice. Try your passkey again.'
const UNSUPPORTED_ORIGIN_MESSAGE = 'Passkeys aren’t supported at this address. Log in with your password.'

const challengePurpose = (uid: string): ChallengePurpose => `passkey at ${uid}`

/** Creates the passkey request for the sign-in page of authorization request `uid`; null without passkey support. */
export async function createPasskeyRequest(env: Env, uid: string, now: number): Promise<PasskeyRequest | null> {
  const rp = getRelyingParty(env)
  if (rp === null) return null
  const { challenge, ticket } = await createChallenge(env, challengePurpose(uid), now)
  return { ticket, options: buildRequestOptions(rp, challenge) }
}

/** Result of a passkey sign-in. `concerns`: email address of the account that the rejected passkey belongs to. */
type PasskeySignInResult =
  | { readonly state: 'signed-in'; readonly userId: string; readonly email: string; readonly codesLeft: null }
  | (SignInError & { readonly concerns?: string })

/**
 * Signs in with a passkey and without a second factor, because a passkey proves possession plus knowledge or
 * biometrics. Attempts are rate-limited, and each challenge works once.
 */
export async function signInWithPasskey(
  env: Env,
  ctx: KoaContext,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<PasskeySignInResult> {
  const rp = getRelyingParty(env)
  if (rp === null) return signInError(UNSUPPORTED_ORIGIN_MESSAGE)
  const assertion = parseAssertion(form.get('credential') ?? '')
  const passkey = assertion && (await findPasskeyById(env.DB, assertion.id))
  const account = passkey && (await findAccountById(env.DB, passkey.userId))
  const knownBrowserId = account && readKnownBrowserCookie(ctx, env, account.email)
  const concerns = account === null ? {} : { concerns: account.email }
  const attempt = await countAttempt(env, passkeyLimits(ctx.ip, knownBrowserId), now)
  if (attempt.waitMs > 0) return { ...tooManyAttemptsError(attempt.waitMs), ...concerns }
  if (assertion === null || passkey === null || account === null) return signInError(UNKNOWN_PASSKEY_MESSAGE)
  const challenge = await consumeChallenge(env, challengePurpose(uid), form.get('passkey') ?? '', now)
  if (challenge === null) return { ...signInError(EXPIRED_CHALLENGE_MESSAGE), ...concerns }
  const counter = await verifyAssertion(rp, challenge, assertion, passkey)
  if (counter === null || !(await recordPasskeyUse(env.DB, passkey.id, counter, now)))
    return { ...signInError(UNKNOWN_PASSKEY_MESSAGE), ...concerns }
  if (!maySignIn(account, env)) return { ...signInError(DEMO_ACCOUNT_MESSAGE), ...concerns }
  await Promise.all([attempt.markSucceeded(), deleteExpiredOidcRows(env.DB, now)])
  return { state: 'signed-in', userId: account.userId, email: account.email, codesLeft: null }
}
