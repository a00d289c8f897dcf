import type { SignInWay } from '../../../contract/account/activity.ts'
import type { Env } from '../../env.ts'
import { accountByEmail, accountById, type AccountRow } from '../../accounts/account-rows.ts'
import { factorKeys } from '../../platform/crypto/rotating-keys.ts'
import { authenticate, signInError, type SignInError } from './check-credentials.ts'
import { checkFactor, type SecondFactorInput } from '../two-factor/verify-second-factor.ts'
import { findSecondFactor } from '../two-factor/second-factor-rows.ts'
import { encryptText, decryptText } from '../../platform/crypto/encrypt-text.ts'
import type { SecondStep } from '../two-factor/sign-in-pages.ts'
import { createFirst } from './create-first-account.ts'
import type { Context } from '../pages/read-form.ts'
import { readKnownBrowserCookie } from './known-browser.ts'
import { passkeyStep } from '../passkeys/passkey-sign-in.ts'

const TICKET_MS = 10 * 60_000
const TOO_LATE = 'That took longer than ten minutes. Type your password again.'

/**
 * Result of a sign-in form. `codesLeft`: remaining recovery codes if one was used; `concerns`: email of the account
 * that a rejected passkey belongs to.
 */
export type SignInOutcome =
  | { readonly state: 'signed-in'; readonly userId: string; readonly email: string; readonly codesLeft: number | null }
  | { readonly state: 'second'; readonly step: SecondStep; readonly status: number; readonly retryAfter?: number }
  | (SignInError & { readonly concerns?: string })

/** Sealed proof that the password was right, for one authorization request and ten minutes. */
interface Ticket {
  readonly userId: string
  /** End of the password's hash: the ticket expires with the password. */
  readonly password: string
  /** ms UTC */
  readonly until: number
}

const purpose = (uid: string) => `sign-in ${uid}`
const passwordMark = (account: AccountRow) => account.passwordHash.slice(-12)

async function openTicket(env: Env, uid: string, sealed: string, now: number): Promise<AccountRow | null> {
  const text = await decryptText(factorKeys(env), purpose(uid), sealed)
  if (text === null) return null
  const { userId, password, until } = JSON.parse(text) as Ticket
  const account = await accountById(env.DB, userId)
  return account !== null && until > now && passwordMark(account) === password ? account : null
}

async function firstStep(
  env: Env,
  ctx: Context,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<SignInOutcome> {
  const email = form.get('email') ?? ''
  const guess = {
    ip: ctx.ip,
    known: readKnownBrowserCookie(ctx, env, email),
    email,
    password: form.get('password') ?? '',
  }
  const outcome = await authenticate(env, guess, now)
  if (outcome.state === 'refused') return outcome
  const { userId } = outcome
  const [account, factor] = await Promise.all([accountByEmail(env.DB, email), findSecondFactor(env.DB, userId, now)])
  if (account === null || factor === null || factor.enabledAt === null) return { ...outcome, email, codesLeft: null }
  const ticket: Ticket = { userId, password: passwordMark(account), until: now + TICKET_MS }
  const sealed = await encryptText(env.FACTOR_KEY, purpose(uid), JSON.stringify(ticket))
  return { state: 'second', step: { email: account.email, ticket: sealed, way: 'code', error: null }, status: 200 }
}

const codeWay = (text: string | null): SecondFactorInput['way'] => (text === 'recovery' ? 'recovery' : 'code')

async function secondStep(
  env: Env,
  ctx: Context,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<SignInOutcome> {
  const ticket = form.get('ticket') ?? ''
  const account = await openTicket(env, uid, ticket, now)
  if (account === null) return signInError(TOO_LATE)
  const { userId, email } = account
  const show = form.get('show')
  if (show !== null) return { state: 'second', step: { email, ticket, way: codeWay(show), error: null }, status: 200 }
  const factor = await findSecondFactor(env.DB, userId, now)
  const signedIn = { state: 'signed-in', userId, email } as const
  if (factor === null || factor.enabledAt === null) return { ...signedIn, codesLeft: null }
  const way = codeWay(form.get('way'))
  const guesser = { userId, ip: ctx.ip, known: readKnownBrowserCookie(ctx, env, email), factor }
  const wrong = await checkFactor(env, guesser, { way, typed: form.get('code') ?? '' }, now)
  if (wrong === null) return { ...signedIn, codesLeft: way === 'recovery' ? factor.codesLeft - 1 : null }
  const { error, status, retryAfter } = wrong
  return {
    ...{ state: 'second', step: { email, ticket, way, error }, status },
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

export function getSignInMethod(form: URLSearchParams): SignInWay {
  if (form.has('credential')) return 'passkey'
  return form.has('ticket') ? codeWay(form.get('way')) : 'password'
}

/**
 * Handles a form submitted on the sign-in page of authorization request `uid`. Returns the result of the sign-in,
 * including failures and rate limits (status 429).
 */
export async function handleSignInForm(
  env: Env,
  ctx: Context,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<SignInOutcome> {
  if (form.has('credential')) return await passkeyStep(env, ctx, uid, form, now)
  if (form.has('ticket')) return await secondStep(env, ctx, uid, form, now)
  if (!form.has('setup_code')) return await firstStep(env, ctx, uid, form, now)
  const outcome = await createFirst(env, ctx.ip, form, now)
  return outcome.state === 'refused' ? outcome : { ...outcome, email: form.get('email') ?? '', codesLeft: null }
}
