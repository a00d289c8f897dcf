import { accountById } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import { countAttempt, passkeyLimits } from '../../platform/rate-limits/attempt-limits.ts'
import { signInError, tooMany, type SignInError } from '../sign-in/check-credentials.ts'
import type { Context } from '../pages/read-form.ts'
import { readKnownBrowserCookie } from '../sign-in/known-browser.ts'
import { deleteExpired } from '../sign-in/sign-out.ts'
import { checkAssertion, readAssertion, requestOptions } from './webauthn-ceremonies.ts'
import { newChallenge, consumeChallenge, type Purpose } from './challenges.ts'
import type { PasskeyAsk } from './passkey-forms.ts'
import { passkeyById, recordPasskeyUse } from './passkey-rows.ts'
import { relyingParty } from './relying-party.ts'

const WRONG = 'This passkey opens no account here. Try again, or sign in by your password.'
const STALE = 'That took longer than five minutes, or was sent twice. Use the passkey again.'
const NOT_HERE = 'Passkeys work only where this service has a name of its own. Sign in by your password.'

const challengePurpose = (uid: string): Purpose => `passkey at ${uid}`

/** Creates the passkey request for the sign-in page of authorization request `uid`; null without passkey support. */
export async function createPasskeyRequest(env: Env, uid: string, now: number): Promise<PasskeyAsk | null> {
  const rp = relyingParty(env)
  if (rp === null) return null
  const { challenge, ticket } = await newChallenge(env, challengePurpose(uid), now)
  return { ticket, options: requestOptions(rp, challenge) }
}

/** Result of a sign-in; `concerns`: account that the failed attempt targeted. */
type Outcome =
  | { readonly state: 'signed-in'; readonly userId: string; readonly email: string; readonly codesLeft: null }
  | (SignInError & { readonly concerns?: string })

/**
 * Signs in by a passkey, which replaces password and second factor: possession plus knowledge or biometrics.
 * Rate-limited; each challenge works once.
 */
export async function passkeyStep(
  env: Env,
  ctx: Context,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<Outcome> {
  const rp = relyingParty(env)
  if (rp === null) return signInError(NOT_HERE)
  const assertion = readAssertion(form.get('credential') ?? '')
  const passkey = assertion && (await passkeyById(env.DB, assertion.id))
  const account = passkey && (await accountById(env.DB, passkey.userId))
  const knownBrowserId = account && readKnownBrowserCookie(ctx, env, account.email)
  const concerns = account === null ? {} : { concerns: account.email }
  const attempt = await countAttempt(env, passkeyLimits(ctx.ip, knownBrowserId), now)
  if (attempt.waitMs > 0) return { ...tooMany(attempt.waitMs), ...concerns }
  if (assertion === null || passkey === null || account === null) return signInError(WRONG)
  const challenge = await consumeChallenge(env, challengePurpose(uid), form.get('passkey') ?? '', now)
  if (challenge === null) return { ...signInError(STALE), ...concerns }
  const counter = await checkAssertion(rp, challenge, assertion, passkey)
  if (counter === null || !(await recordPasskeyUse(env.DB, passkey.id, counter, now)))
    return { ...signInError(WRONG), ...concerns }
  await Promise.all([attempt.succeeded(), deleteExpired(env.DB, now)])
  return { state: 'signed-in', userId: account.userId, email: account.email, codesLeft: null }
}
