import * as v from 'valibot'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { emailAddress } from '../../../contract/account/email-delivery.ts'
import { findAccountByEmail, canonicalizeEmail } from '../../accounts/account-rows.ts'
import { recordAccountActivity } from '../../accounts/activity/record-activity.ts'
import { toClientInfo } from '../../accounts/activity/client-info.ts'
import type { Env } from '../../env.ts'
import { closeUserSockets } from '../../homes/feed/close-user-sockets.ts'
import { countAttempt, resetRequestLimit, resetEmailLimit } from '../../platform/rate-limits/attempt-limits.ts'
import { getEmailTransportKind } from '../../notifications/email/email-transport.ts'
import { PASSWORD_RESET_PATH, deriveResetLinkToken } from '../../notifications/email-links.ts'
import { runInBackground } from '../../notifications/notify-in-background.ts'
import { createMessageId, notifyAccount } from '../../notifications/notify-account.ts'
import { tooManyAttemptsError } from '../sign-in/check-credentials.ts'
import { linkRequestedPage, requestLinkPage, newPasswordPage, resetMessagePage } from './reset-password-pages.ts'
import { rememberBrowser } from '../sign-in/known-browser.ts'
import {
  findAccountByResetLink,
  storeResetLink,
  wasResetLinkSentRecently,
  RESET_LINK_LIFETIME_MS,
  deleteExpiredResetLinks,
  consumeResetLink,
} from './reset-link-rows.ts'
import { isCrossOriginForm, readForm, type KoaContext } from '../pages/read-form.ts'
import { findNewPasswordProblem } from './password-rules.ts'
import { hashPassword } from './hash-password.ts'
import { sendPage } from '../pages/send-page.ts'
import { endAllSignIns } from '../sign-in/sign-out.ts'

const INVALID_EMAIL_MESSAGE = 'That isn’t a valid email address. Check it and try again.'
const EXPIRED_LINK_MESSAGE =
  'This link no longer works. Reset links work once and expire after 30 minutes or when your password changes.'
const PASSWORD_SET_MESSAGE =
  'Your new password is set. You’ve been logged out on all devices. Log in with the new password.'
const NO_EMAIL_TRANSPORT_MESSAGE = `This ${BRAND_NAME} server can’t send email. Ask its operator to reset your password.`

interface PageResponse {
  readonly html: string
  readonly status?: number
  /** Value of the `Retry-After` header, seconds. */
  readonly retryAfter?: number | undefined
}

const expiredLinkResponse = (): PageResponse => ({
  html: resetMessagePage(EXPIRED_LINK_MESSAGE, {
    href: PASSWORD_RESET_PATH,
    label: 'Get a new link',
    isProblem: true,
  }),
  status: 400,
})

/**
 * Sends a reset link if the account exists and got no link recently. `requestResetLink` runs this function in the
 * background, so that the response time does not reveal whether the account exists.
 */
async function sendResetLink(env: Env, email: string, ctx: KoaContext, now: number): Promise<void> {
  await deleteExpiredResetLinks(env.DB, now)
  const account = await findAccountByEmail(env.DB, email)
  if (account === null || (await wasResetLinkSentRecently(env.DB, account, now))) return
  if ((await countAttempt(env, [resetEmailLimit(email)], now)).waitMs > 0) return
  const until = now + RESET_LINK_LIFETIME_MS
  const facts = { ...toClientInfo(ctx), until }
  const messageId = createMessageId()
  // Store the link before the email, so that every delivered link works.
  await storeResetLink(env.DB, account, deriveResetLinkToken(env, messageId), until)
  await notifyAccount(env, {
    userId: account.userId,
    kind: 'password_forgotten',
    key: String(now),
    facts,
    at: now,
    messageId,
  })
}

/** Handles a reset request. The response does not reveal whether an account with this email address exists. */
async function requestResetLink(env: Env, ctx: KoaContext, typedEmail: string, now: number): Promise<PageResponse> {
  const email = canonicalizeEmail(typedEmail)
  if (!v.is(emailAddress, email))
    return {
      html: requestLinkPage(PASSWORD_RESET_PATH, {
        email: typedEmail.slice(0, 254),
        problem: { field: 'email', message: INVALID_EMAIL_MESSAGE },
      }),
    }
  const { waitMs } = await countAttempt(env, [resetRequestLimit(ctx.ip)], now)
  if (waitMs > 0) {
    const { error, status, retryAfter } = tooManyAttemptsError(waitMs)
    const problem = { field: null, message: error }
    return { html: requestLinkPage(PASSWORD_RESET_PATH, { email, problem }), status, retryAfter }
  }
  runInBackground(env, () => sendResetLink(env, email, ctx, now), now)
  const outboxUrl = getEmailTransportKind(env) === 'kept' ? `${env.PROVIDER_ORIGIN}/mail` : null
  return { html: linkRequestedPage(email, PASSWORD_RESET_PATH, { portalOrigin: env.PORTAL_ORIGIN, outboxUrl }) }
}

/** Sets the new password and ends all sign-ins of the account. The second factor stays. */
async function setNewPassword(env: Env, ctx: KoaContext, form: URLSearchParams, now: number): Promise<PageResponse> {
  const link = form.get('link') ?? ''
  const account = await findAccountByResetLink(env.DB, link, now)
  if (account === null) return expiredLinkResponse()
  const { userId, email } = account
  const password = form.get('password') ?? ''
  const problem = findNewPasswordProblem(password, form.get('repeat') ?? '', email)
  if (problem !== null) return { html: newPasswordPage(PASSWORD_RESET_PATH, { link, email, problem }) }
  if (!(await consumeResetLink(env.DB, account, { link, hash: await hashPassword(password) }, now)))
    return expiredLinkResponse()
  await endAllSignIns(env, userId, null)
  recordAccountActivity(env, userId, 'password-changed', ctx, now)
  await closeUserSockets(env, userId)
  // The reset link proves that the user owns the account. Remember this browser, so that wrong guesses by strangers do
  // not lock it out.
  rememberBrowser(ctx, env, email, now)
  return {
    html: resetMessagePage(PASSWORD_SET_MESSAGE, {
      href: `${env.PORTAL_ORIGIN}/live`,
      label: `Go to ${BRAND_NAME}`,
      isProblem: false,
    }),
  }
}

async function handleResetPage(env: Env, ctx: KoaContext, now: number): Promise<PageResponse> {
  const portalLink = { href: `${env.PORTAL_ORIGIN}/live`, label: `Go to ${BRAND_NAME}`, isProblem: true }
  if (getEmailTransportKind(env) === 'none')
    return { html: resetMessagePage(NO_EMAIL_TRANSPORT_MESSAGE, portalLink), status: 404 }
  if (ctx.method === 'POST' && !isCrossOriginForm(ctx, env.PROVIDER_ORIGIN)) {
    const form = await readForm(ctx.req)
    return form.has('link')
      ? await setNewPassword(env, ctx, form, now)
      : await requestResetLink(env, ctx, form.get('email') ?? '', now)
  }
  const { link } = ctx.query
  if (typeof link !== 'string') return { html: requestLinkPage(PASSWORD_RESET_PATH, { email: '', problem: null }) }
  const account = await findAccountByResetLink(env.DB, link, now)
  if (account === null) return expiredLinkResponse()
  return { html: newPasswordPage(PASSWORD_RESET_PATH, { link, email: account.email, problem: null }) }
}

/** Creates the handler of `/account/forgotten`, where a user requests a reset link and sets a new password with it. */
export function createPasswordResetHandler(env: Env) {
  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== PASSWORD_RESET_PATH) {
      await next()
      return
    }
    const { html, status = 200, retryAfter } = await handleResetPage(env, ctx, Date.now())
    if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
    sendPage(ctx, status, html, env.PORTAL_ORIGIN)
  }
}
