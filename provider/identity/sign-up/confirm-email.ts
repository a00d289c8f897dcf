import { findAccountByEmail } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import { countAttempt, networkLimit } from '../../platform/rate-limits/attempt-limits.ts'
import { createAccount } from '../create-account.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { verifyPassword } from '../password/hash-password.ts'
import { tooManyAttemptsError } from '../sign-in/check-credentials.ts'
import { rememberBrowser } from '../sign-in/known-browser.ts'
import { readBrowserToken, writeVisit } from './sign-up-cookie.ts'
import { confirmEmailPage, expiredLinkPage } from './sign-up-pages.ts'
import { createStepUrl } from './sign-up-path.ts'
import type { SignUpResponse } from './sign-up-response.ts'
import { deleteOtherSignUps, findSignUp, type FoundSignUp } from './sign-up-rows.ts'

const NO_PASSWORD_MESSAGE = 'Enter the password you chose when you signed up.'
const WRONG_PASSWORD_MESSAGE = 'Wrong password. Enter the password you chose when you signed up.'

type LinkResult = { readonly signUp: FoundSignUp } | { readonly response: SignUpResponse }

/** Returns the sign-up of a link, or the page for a link that is unknown or has expired. */
async function openLink(env: Env, ctx: KoaContext, link: string, now: number): Promise<LinkResult> {
  const signUp = await findSignUp(env.DB, { link, browser: readBrowserToken(env, ctx) }, now)
  if (signUp !== null && !signUp.isExpired) return { signUp }
  const renewal = signUp && { link, email: signUp.email, path: signUp.path }
  return { response: { html: expiredLinkPage(renewal, env.PORTAL_ORIGIN), status: 400 } }
}

export async function showConfirmPage(env: Env, ctx: KoaContext, link: string, now: number): Promise<SignUpResponse> {
  const result = await openLink(env, ctx, link, now)
  if ('response' in result) return result.response
  const { email, isSameBrowser } = result.signUp
  const form = { link, email, asksPassword: !isSameBrowser, error: null }
  return { html: confirmEmailPage(form, env.PORTAL_ORIGIN) }
}

/** Checks the password if another browser chose it. Returns the page with the problem; null without a problem. */
async function findPasswordFailure(
  env: Env,
  ctx: KoaContext,
  { email, passwordHash, isSameBrowser }: FoundSignUp,
  fields: URLSearchParams,
  now: number,
): Promise<SignUpResponse | null> {
  if (isSameBrowser) return null
  const link = fields.get('link') ?? ''
  const createErrorPage = (error: string) =>
    confirmEmailPage({ link, email, asksPassword: true, error }, env.PORTAL_ORIGIN)
  const password = fields.get('password') ?? ''
  // An empty field is no guess, so it must not count as an attempt.
  if (password === '') return { html: createErrorPage(NO_PASSWORD_MESSAGE) }
  const attempt = await countAttempt(env, [networkLimit(ctx.ip)], now)
  if (attempt.waitMs > 0) {
    const { error, status, retryAfter } = tooManyAttemptsError(attempt.waitMs)
    return { html: createErrorPage(error), status, retryAfter }
  }
  if (!(await verifyPassword(password, passwordHash))) return { html: createErrorPage(WRONG_PASSWORD_MESSAGE) }
  await attempt.markSucceeded()
  return null
}

/** Creates the account of a confirmed email address, or returns the page with the problem. */
export async function confirmEmail(
  env: Env,
  ctx: KoaContext,
  fields: URLSearchParams,
  now: number,
): Promise<SignUpResponse> {
  const result = await openLink(env, ctx, fields.get('link') ?? '', now)
  if ('response' in result) return result.response
  const { signUp } = result
  const failure = await findPasswordFailure(env, ctx, signUp, fields, now)
  if (failure !== null) return failure
  const { userId, email, passwordHash, path } = signUp
  const created = await createAccount(env, { userId, email, passwordHash, first: false, isSelfService: true }, now)
  await deleteOtherSignUps(env.DB, signUp)
  // A second click finds the account that the first click has created.
  if (created === null && (await findAccountByEmail(env.DB, email))?.userId !== userId)
    return { html: expiredLinkPage(null, env.PORTAL_ORIGIN), status: 400 }
  rememberBrowser(ctx, env, email, now)
  writeVisit(env, ctx, { browser: readBrowserToken(env, ctx), email, path, sentAt: now }, now)
  return { location: createStepUrl('done') }
}
