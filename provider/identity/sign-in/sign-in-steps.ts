import type { SignInCredential } from '../../../contract/account/activity.ts'
import type { Env } from '../../env.ts'
import { findAccountByEmail, findAccountById, type AccountRow, hasNoAccounts } from '../../accounts/account-rows.ts'
import { factorKeys } from '../../platform/crypto/rotating-keys.ts'
import { authenticate, fieldError, signInError, type SignInError, tooManyAttemptsError } from './check-credentials.ts'
import { checkSecondFactor, type SecondFactorInput } from '../two-factor/verify-second-factor.ts'
import { findSecondFactor } from '../two-factor/second-factor-rows.ts'
import { encryptText, decryptText } from '../../platform/crypto/encrypt-text.ts'
import type { SecondStepState } from '../two-factor/sign-in-pages.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { readKnownBrowserCookie } from './known-browser.ts'
import { signInWithPasskey } from '../passkeys/passkey-sign-in.ts'
import * as v from 'valibot'
import { accountEmail } from '../../../contract/operator/operator-calls.ts'
import { countAttempt, networkLimit } from '../../platform/rate-limits/attempt-limits.ts'
import { createAccount } from '../create-account.ts'
import { findNewPasswordProblem } from '../password/password-rules.ts'
import { hashPassword } from '../password/hash-password.ts'
import { isSetupCode } from './setup-code.ts'

const WRONG_CODE_MESSAGE = 'This setup code doesn’t match the one in the terminal. Check it and try again.'
const INVALID_EMAIL_MESSAGE = 'That isn’t a valid email address. Check it and try again.'
const NO_EMAIL_MESSAGE = 'Enter your email.'
const NO_PASSWORD_MESSAGE = 'Enter your password.'
const ALREADY_CREATED_MESSAGE = 'The first account already exists. Log in instead.'

/**
 * Creates the first account from the form of the first-account page, rate-limited by client network. Returns an error
 * if an account already exists or an input is invalid.
 */
async function createFirstAccount(
  env: Env,
  ip: string,
  form: URLSearchParams,
  now: number,
): Promise<{ state: 'signed-in'; userId: string } | SignInError> {
  if (env.DEMO === '1' || !(await hasNoAccounts(env.DB))) return signInError(ALREADY_CREATED_MESSAGE)
  const attempt = await countAttempt(env, [networkLimit(ip)], now)
  if (attempt.waitMs > 0) return tooManyAttemptsError(attempt.waitMs)
  if (!isSetupCode(env, form.get('setup_code') ?? '')) return fieldError('setup_code', WRONG_CODE_MESSAGE)
  await attempt.markSucceeded()
  const email = v.safeParse(accountEmail, form.get('email') ?? '')
  if (!email.success) return fieldError('email', INVALID_EMAIL_MESSAGE)
  const password = form.get('password') ?? ''
  const problem = findNewPasswordProblem(password, form.get('repeat') ?? '', email.output)
  if (problem !== null) return fieldError(problem.field ?? 'password', problem.message)
  const userId = await createAccount(
    env,
    { email: email.output, passwordHash: await hashPassword(password), first: true },
    now,
  )
  return userId === null ? signInError(ALREADY_CREATED_MESSAGE) : { state: 'signed-in', userId }
}

const TICKET_LIFETIME_MS = 10 * 60_000
const EXPIRED_TICKET_MESSAGE = 'This login attempt has expired. Enter your password again.'

/**
 * Result of a sign-in form. `codesLeft`: number of remaining recovery codes if the user signed in with one. `concerns`:
 * email address of the account to which a rejected passkey belongs.
 */
export type SignInOutcome =
  | { readonly state: 'signed-in'; readonly userId: string; readonly email: string; readonly codesLeft: number | null }
  | { readonly state: 'second'; readonly step: SecondStepState; readonly status: number; readonly retryAfter?: number }
  | (SignInError & { readonly concerns?: string })

/**
 * Content of the encrypted ticket that proves a correct password. Valid for one authorization request and ten minutes.
 */
interface SecondStepTicket {
  readonly userId: string
  /** End of the password hash, so that a password change invalidates the ticket. */
  readonly password: string
  /** ms UTC */
  readonly until: number
}

const ticketPurpose = (uid: string) => `sign-in ${uid}`
const passwordHashSuffix = (account: AccountRow) => account.passwordHash.slice(-12)

async function readTicket(env: Env, uid: string, sealed: string, now: number): Promise<AccountRow | null> {
  const text = await decryptText(factorKeys(env), ticketPurpose(uid), sealed)
  if (text === null) return null
  const { userId, password, until } = JSON.parse(text) as SecondStepTicket
  const account = await findAccountById(env.DB, userId)
  return account !== null && until > now && passwordHashSuffix(account) === password ? account : null
}

async function checkPasswordStep(
  env: Env,
  ctx: KoaContext,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<SignInOutcome> {
  const email = form.get('email') ?? ''
  const password = form.get('password') ?? ''
  if (email.trim() === '') return fieldError('email', NO_EMAIL_MESSAGE)
  if (password === '') return fieldError('password', NO_PASSWORD_MESSAGE)
  const guess = { ip: ctx.ip, known: readKnownBrowserCookie(ctx, env, email), email, password }
  const outcome = await authenticate(env, guess, now)
  if (outcome.state === 'refused') return outcome
  const { userId } = outcome
  const [account, factor] = await Promise.all([
    findAccountByEmail(env.DB, email),
    findSecondFactor(env.DB, userId, now),
  ])
  if (account === null || factor === null || factor.enabledAt === null) return { ...outcome, email, codesLeft: null }
  const ticket: SecondStepTicket = { userId, password: passwordHashSuffix(account), until: now + TICKET_LIFETIME_MS }
  const sealed = await encryptText(env.FACTOR_KEY, ticketPurpose(uid), JSON.stringify(ticket))
  return { state: 'second', step: { email: account.email, ticket: sealed, way: 'code', error: null }, status: 200 }
}

const parseSecondFactorMethod = (text: string | null): SecondFactorInput['way'] =>
  text === 'recovery' ? 'recovery' : 'code'

async function checkSecondFactorStep(
  env: Env,
  ctx: KoaContext,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<SignInOutcome> {
  const ticket = form.get('ticket') ?? ''
  const account = await readTicket(env, uid, ticket, now)
  if (account === null) return signInError(EXPIRED_TICKET_MESSAGE)
  const { userId, email } = account
  const show = form.get('show')
  if (show !== null)
    return { state: 'second', step: { email, ticket, way: parseSecondFactorMethod(show), error: null }, status: 200 }
  const factor = await findSecondFactor(env.DB, userId, now)
  const signedIn = { state: 'signed-in', userId, email } as const
  if (factor === null || factor.enabledAt === null) return { ...signedIn, codesLeft: null }
  const method = parseSecondFactorMethod(form.get('way'))
  const guesser = { userId, ip: ctx.ip, known: readKnownBrowserCookie(ctx, env, email), factor }
  const factorError = await checkSecondFactor(env, guesser, { way: method, typed: form.get('code') ?? '' }, now)
  if (factorError === null) return { ...signedIn, codesLeft: method === 'recovery' ? factor.codesLeft - 1 : null }
  const { error, status, retryAfter } = factorError
  return {
    state: 'second',
    step: { email, ticket, way: method, error },
    status,
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

export function getSignInMethod(form: URLSearchParams): SignInCredential {
  if (form.has('credential')) return 'passkey'
  return form.has('ticket') ? parseSecondFactorMethod(form.get('way')) : 'password'
}

/**
 * Handles a form of the sign-in page. Returns the result of the sign-in, including failures and rate limits (status
 * 429). `uid`: id of the authorization request.
 */
export async function handleSignInForm(
  env: Env,
  ctx: KoaContext,
  uid: string,
  form: URLSearchParams,
  now: number,
): Promise<SignInOutcome> {
  if (form.has('credential')) return await signInWithPasskey(env, ctx, uid, form, now)
  if (form.has('ticket')) return await checkSecondFactorStep(env, ctx, uid, form, now)
  if (!form.has('setup_code')) return await checkPasswordStep(env, ctx, uid, form, now)
  const outcome = await createFirstAccount(env, ctx.ip, form, now)
  return outcome.state === 'refused' ? outcome : { ...outcome, email: form.get('email') ?? '', codesLeft: null }
}
