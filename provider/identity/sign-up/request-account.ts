import * as v from 'valibot'
import { emailAddress } from '../../../contract/account/email-delivery.ts'
import { canonicalizeEmail, createUserId, findAccountByEmail } from '../../accounts/account-rows.ts'
import { toClientInfo } from '../../accounts/activity/client-info.ts'
import type { Env } from '../../env.ts'
import { deriveSignUpToken } from '../../notifications/email-links.ts'
import { createMessageId, notifyAccount } from '../../notifications/notify-account.ts'
import { runInBackground } from '../../notifications/notify-in-background.ts'
import { hashToken } from '../../platform/crypto/token-hash.ts'
import { countAttempt, signUpEmailLimit, signUpLimit } from '../../platform/rate-limits/attempt-limits.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { hashPassword } from '../password/hash-password.ts'
import { findPasswordProblem } from '../password/password-rules.ts'
import { tooManyAttemptsError } from '../sign-in/check-credentials.ts'
import {
  DECOY_FIELD,
  INVALID_EMAIL_MESSAGE,
  MISSING_EMAIL_MESSAGE,
  createAccountPage,
  type SignUpForm,
  type SignUpProblem,
} from './create-account-page.ts'
import { isInvited } from '../../accounts/invitations/invitation-links.ts'
import { readBrowserToken, readVisit, writeVisit, type SignUpVisit } from './sign-up-cookie.ts'
import { createSignUpUrl, createStepUrl, toPortalPath, DEFAULT_PATH } from './sign-up-path.ts'
import { getSignUpPolicy } from '../../accounts/invitations/sign-up-policy.ts'
import type { SignUpResponse } from './sign-up-response.ts'
import {
  SIGN_UP_LIFETIME_MS,
  deleteExpiredSignUps,
  findBrowserSignUp,
  findSignUp,
  storeSignUp,
  type PendingSignUp,
} from './sign-up-rows.ts'

/** Time after an email during which the same browser cannot request another. */
export const RESEND_INTERVAL_MS = 60_000

/** Returns the problem of the form's fields; null if both are valid. */
export function findFormProblem(email: string, password: string): SignUpProblem | null {
  if (email === '') return { field: 'email', message: MISSING_EMAIL_MESSAGE }
  if (!v.is(emailAddress, email)) return { field: 'email', message: INVALID_EMAIL_MESSAGE }
  const message = findPasswordProblem(password, email)
  return message === null ? null : { field: 'password', message }
}

/** Counts a request of this client network. Returns the form with an error above the limit, otherwise null. */
export async function limitRequests(
  env: Env,
  ctx: KoaContext,
  form: Omit<SignUpForm, 'problem'>,
  now: number,
): Promise<SignUpResponse | null> {
  const { waitMs } = await countAttempt(env, [signUpLimit(ctx.ip)], now)
  if (waitMs === 0) return null
  const { error, status, retryAfter } = tooManyAttemptsError(waitMs)
  const html = createAccountPage({ ...form, problem: { field: null, message: error } }, env.PORTAL_ORIGIN)
  return { html, status, retryAfter }
}

/**
 * Sends the confirmation email, or tells the owner of an existing account about the attempt. Runs in the background, so
 * that the response time does not reveal whether the account exists. `findPending`: returns the sign-up to confirm.
 */
function sendSignUpEmail(
  env: Env,
  ctx: KoaContext,
  email: string,
  findPending: () => Promise<PendingSignUp | null>,
  now: number,
): void {
  const client = toClientInfo(ctx)
  const send = async () => {
    await deleteExpiredSignUps(env.DB, now)
    if ((await countAttempt(env, [signUpEmailLimit(email)], now)).waitMs > 0) return
    const account = await findAccountByEmail(env.DB, email)
    if (account !== null) {
      const facts = { ...client, at: now }
      await notifyAccount(env, { userId: account.userId, kind: 'account_exists', key: String(now), facts, at: now })
      return
    }
    if (getSignUpPolicy(env) === 'invite' && !(await isInvited(env.DB, email, now))) return
    const signUp = await findPending()
    if (signUp === null) return
    const { userId } = signUp
    const until = now + SIGN_UP_LIFETIME_MS
    const messageId = createMessageId()
    // Store the sign-up before the email, so that every delivered link works.
    await storeSignUp(env.DB, signUp, deriveSignUpToken(env, messageId), until)
    await notifyAccount(env, {
      userId,
      kind: 'confirm_sign_up',
      key: String(now),
      facts: { until },
      at: now,
      messageId,
    })
  }
  runInBackground(env, send, now)
}

/** Handles the form for a new account. The response does not reveal whether an account with this address exists. */
export async function requestAccount(
  env: Env,
  ctx: KoaContext,
  fields: URLSearchParams,
  now: number,
): Promise<SignUpResponse> {
  const path = toPortalPath(fields.get('path') ?? '', env.PORTAL_ORIGIN)
  const email = canonicalizeEmail(fields.get('email') ?? '')
  const password = fields.get('password') ?? ''
  const form = { email: email.slice(0, 254), path }
  const problem = findFormProblem(email, password)
  if (problem !== null) return { html: createAccountPage({ ...form, problem }, env.PORTAL_ORIGIN) }
  const limited = await limitRequests(env, ctx, form, now)
  if (limited !== null) return limited
  const browser = readBrowserToken(env, ctx)
  writeVisit(env, ctx, { browser, email, path, sentAt: now }, now)
  if ((fields.get(DECOY_FIELD) ?? '') === '') {
    const passwordHash = await hashPassword(password)
    const signUp = { userId: createUserId(), email, passwordHash, path, browserHash: hashToken(browser) }
    sendSignUpEmail(env, ctx, email, () => Promise.resolve(signUp), now)
  }
  return { location: createStepUrl('email') }
}

const withNewId = (signUp: PendingSignUp | null): PendingSignUp | null =>
  signUp && { ...signUp, userId: createUserId() }

/** Handles "Resend": sends the email of this browser's sign-up again. */
export async function resendEmail(env: Env, ctx: KoaContext, now: number): Promise<SignUpResponse> {
  const visit = readVisit(env, ctx)
  if (visit === null) return { location: createSignUpUrl(DEFAULT_PATH) }
  if (now - visit.sentAt < RESEND_INTERVAL_MS) return { location: createStepUrl('email') }
  return requestAnotherEmail(env, ctx, visit, async () => withNewId(await findBrowserSignUp(env.DB, visit)), now)
}

/** Handles "Send a new link" on the page of an expired link. The holder of the link has received its email. */
export async function renewLink(env: Env, ctx: KoaContext, link: string, now: number): Promise<SignUpResponse> {
  const browser = readBrowserToken(env, ctx)
  const expired = await findSignUp(env.DB, { link, browser }, now)
  if (expired === null) return { location: createSignUpUrl(DEFAULT_PATH) }
  const { email, path } = expired
  // The copy keeps the token of the browser that chose the password, so another browser must enter the password.
  return requestAnotherEmail(
    env,
    ctx,
    { browser, email, path, sentAt: 0 },
    () => Promise.resolve(withNewId(expired)),
    now,
  )
}

async function requestAnotherEmail(
  env: Env,
  ctx: KoaContext,
  visit: SignUpVisit,
  findPending: () => Promise<PendingSignUp | null>,
  now: number,
): Promise<SignUpResponse> {
  const limited = await limitRequests(env, ctx, visit, now)
  if (limited !== null) return limited
  writeVisit(env, ctx, { ...visit, sentAt: now }, now)
  sendSignUpEmail(env, ctx, visit.email, findPending, now)
  return { location: createStepUrl('resent') }
}
