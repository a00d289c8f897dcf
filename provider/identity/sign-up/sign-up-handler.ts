import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { emailAddress } from '../../../contract/account/email-delivery.ts'
import { canonicalizeEmail, findAccountByEmail, hasNoAccounts } from '../../accounts/account-rows.ts'
import { toClientInfo } from '../../accounts/activity/client-info.ts'
import type { Env } from '../../env.ts'
import { hasOutboxPage } from '../../notifications/email/email-transport.ts'
import { SIGN_UP_PATH, deriveSignUpToken } from '../../notifications/email-links.ts'
import { runInBackground } from '../../notifications/notify-in-background.ts'
import { createMessageId, notifyAccount } from '../../notifications/notify-account.ts'
import { countAttempt, networkLimit, signUpEmailLimit, signUpLimit } from '../../platform/rate-limits/attempt-limits.ts'
import { createAccount, createUserId } from '../create-account.ts'
import { cookieNames } from '../oidc/cookies.ts'
import { isCrossOriginForm, readForm, type KoaContext } from '../pages/read-form.ts'
import { sendPage } from '../pages/send-page.ts'
import { findNewPasswordProblem } from '../password/password-rules.ts'
import { hashPassword, verifyPassword } from '../password/hash-password.ts'
import { tooManyAttemptsError } from '../sign-in/check-credentials.ts'
import { rememberBrowser } from '../sign-in/known-browser.ts'
import {
  CLOSED_MESSAGE,
  DECOY_FIELD,
  checkEmailPage,
  confirmEmailPage,
  createAccountPage,
  DEFAULT_PATH,
  expiredLinkPage,
  signUpMessagePage,
} from './sign-up-pages.ts'
import { getSignUpPolicy } from './sign-up-policy.ts'
import {
  SIGN_UP_LIFETIME_MS,
  deleteExpiredSignUps,
  deleteOtherSignUps,
  findSignUp,
  isInvited,
  storeSignUp,
  type PendingSignUp,
} from './sign-up-rows.ts'

const INVALID_EMAIL_MESSAGE = 'This is not an email address. Check it and try again.'
const WRONG_PASSWORD_MESSAGE = 'Wrong password. Enter the one that you chose when you created the account.'
const EXPIRED_LINK_MESSAGE = 'This link has expired.'
const FIRST_ACCOUNT_MESSAGE = 'The first account needs the setup code. Log in to create it.'
const PATH_MAX_LENGTH = 300
const BROWSER_TOKEN_PATTERN = /^[\w-]{22}$/

interface PageResponse {
  readonly html: string
  readonly status?: number
  /** Value of the `Retry-After` header, seconds. */
  readonly retryAfter?: number | undefined
}

/** Returns the path if it is a page of the portal, otherwise the path of the live view. */
function toPortalPath(raw: string, portalOrigin: string): string {
  const isPath = /^\/(?![/\\])/.test(raw) && raw.length <= PATH_MAX_LENGTH && URL.canParse(raw, portalOrigin)
  const url = isPath ? new URL(raw, portalOrigin) : null
  return url?.origin === portalOrigin && !url.pathname.startsWith('//') ? url.pathname + url.search : DEFAULT_PATH
}

/**
 * Sends the confirmation email, or tells the owner of an existing account about the attempt. Runs in the background, so
 * that the response time does not reveal whether the account exists.
 */
async function sendSignUpEmail(
  env: Env,
  ctx: KoaContext,
  signUp: PendingSignUp,
  browser: string,
  now: number,
): Promise<void> {
  const { email, userId } = signUp
  await deleteExpiredSignUps(env.DB, now)
  if ((await countAttempt(env, [signUpEmailLimit(email)], now)).waitMs > 0) return
  const account = await findAccountByEmail(env.DB, email)
  if (account !== null) {
    const facts = { ...toClientInfo(ctx), at: now }
    await notifyAccount(env, { userId: account.userId, kind: 'account_exists', key: String(now), facts, at: now })
    return
  }
  if (getSignUpPolicy(env) === 'invite' && !(await isInvited(env.DB, email))) return
  const until = now + SIGN_UP_LIFETIME_MS
  const messageId = createMessageId()
  // Store the sign-up before the email, so that every delivered link works.
  await storeSignUp(env.DB, signUp, { link: deriveSignUpToken(env, messageId), browser }, until)
  await notifyAccount(env, { userId, kind: 'confirm_sign_up', key: String(now), facts: { until }, at: now, messageId })
}

/** Handles the form for a new account. The response does not reveal whether an account with this address exists. */
async function requestAccount(env: Env, ctx: KoaContext, form: URLSearchParams, now: number): Promise<PageResponse> {
  const path = toPortalPath(form.get('path') ?? '', env.PORTAL_ORIGIN)
  const email = canonicalizeEmail(form.get('email') ?? '')
  const failWith = (error: string, status = 200, retryAfter?: number): PageResponse => ({
    html: createAccountPage({ email: email.slice(0, 254), path, error }, env.PORTAL_ORIGIN),
    status,
    retryAfter,
  })
  if (!v.is(emailAddress, email)) return failWith(INVALID_EMAIL_MESSAGE)
  const password = form.get('password') ?? ''
  const problem = findNewPasswordProblem(password, password, email)
  if (problem !== null) return failWith(problem)
  const { waitMs } = await countAttempt(env, [signUpLimit(ctx.ip)], now)
  if (waitMs > 0) {
    const { error, status, retryAfter } = tooManyAttemptsError(waitMs)
    return failWith(error, status, retryAfter)
  }
  if ((form.get(DECOY_FIELD) ?? '') === '') {
    const signUp = { userId: createUserId(), email, passwordHash: await hashPassword(password), path }
    const browser = readBrowserToken(env, ctx) ?? randomBytes(16).toString('base64url')
    const expires = new Date(now + SIGN_UP_LIFETIME_MS)
    const cookie = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true, expires } as const
    ctx.cookies.set(cookieNames(env.PROVIDER_ORIGIN).signUp, browser, cookie)
    runInBackground(env, () => sendSignUpEmail(env, ctx, signUp, browser, now), now)
  }
  return { html: checkEmailPage({ email, path }, hasOutboxPage(env) ? `${env.PROVIDER_ORIGIN}/mail` : null) }
}

function readBrowserToken(env: Env, ctx: KoaContext): string | null {
  const token = ctx.cookies.get(cookieNames(env.PROVIDER_ORIGIN).signUp, { signed: true })
  return token !== undefined && BROWSER_TOKEN_PATTERN.test(token) ? token : null
}

const expiredLinkResponse = (env: Env): PageResponse => ({
  html: expiredLinkPage(EXPIRED_LINK_MESSAGE, env.PORTAL_ORIGIN),
  status: 400,
})

/** Creates the account of a confirmed email address, or returns the page with the problem. */
async function confirmEmail(env: Env, ctx: KoaContext, form: URLSearchParams, now: number): Promise<PageResponse> {
  const link = form.get('link') ?? ''
  const signUp = await findSignUp(env.DB, { link, browser: readBrowserToken(env, ctx) ?? '' }, now)
  if (signUp === null) return expiredLinkResponse(env)
  const { userId, email, passwordHash, path, isSameBrowser } = signUp
  if (!isSameBrowser) {
    const createErrorPage = (error: string) => confirmEmailPage({ link, email, asksPassword: true, error })
    const attempt = await countAttempt(env, [networkLimit(ctx.ip)], now)
    if (attempt.waitMs > 0) {
      const { error, status, retryAfter } = tooManyAttemptsError(attempt.waitMs)
      return { html: createErrorPage(error), status, retryAfter }
    }
    if (!(await verifyPassword(form.get('password') ?? '', passwordHash)))
      return { html: createErrorPage(WRONG_PASSWORD_MESSAGE) }
    await attempt.markSucceeded()
  }
  const created = await createAccount(env, { userId, email, passwordHash, first: false, isSelfService: true }, now)
  await deleteOtherSignUps(env.DB, signUp)
  // A second click finds the account that the first click has created.
  if (created === null && (await findAccountByEmail(env.DB, email))?.userId !== userId) return expiredLinkResponse(env)
  rememberBrowser(ctx, env, email, now)
  return {
    html: signUpMessagePage('Welcome', `Your ${BRAND_NAME} account is ready.`, {
      href: env.PORTAL_ORIGIN + path,
      label: 'Log in',
    }),
  }
}

async function handleSignUpPage(env: Env, ctx: KoaContext, now: number): Promise<PageResponse> {
  const logIn = { href: `${env.PORTAL_ORIGIN}${DEFAULT_PATH}`, label: 'Log in' }
  if (env.DEMO !== '1' && (await hasNoAccounts(env.DB)))
    return { html: signUpMessagePage('Create account', FIRST_ACCOUNT_MESSAGE, logIn) }
  if (getSignUpPolicy(env) === 'off')
    return { html: signUpMessagePage('Create account', CLOSED_MESSAGE, logIn), status: 404 }
  if (ctx.method === 'POST' && !isCrossOriginForm(ctx, env.PROVIDER_ORIGIN)) {
    const form = await readForm(ctx.req)
    return form.has('link') ? await confirmEmail(env, ctx, form, now) : await requestAccount(env, ctx, form, now)
  }
  const { link, path } = ctx.query
  if (typeof link !== 'string') {
    const form = { email: '', path: toPortalPath(String(path ?? ''), env.PORTAL_ORIGIN), error: null }
    return { html: createAccountPage(form, env.PORTAL_ORIGIN) }
  }
  const signUp = await findSignUp(env.DB, { link, browser: readBrowserToken(env, ctx) ?? '' }, now)
  if (signUp === null) return expiredLinkResponse(env)
  return { html: confirmEmailPage({ link, email: signUp.email, asksPassword: !signUp.isSameBrowser, error: null }) }
}

/** Creates the handler of `/account/create`, where people create an account and confirm its email address. */
export function createSignUpHandler(env: Env) {
  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== SIGN_UP_PATH) {
      await next()
      return
    }
    const { html, status = 200, retryAfter } = await handleSignUpPage(env, ctx, Date.now())
    if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
    sendPage(ctx, status, html, env.PORTAL_ORIGIN)
  }
}
