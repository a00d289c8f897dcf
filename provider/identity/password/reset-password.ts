import * as v from 'valibot'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { bareAddress } from '../../../contract/account/email-delivery.ts'
import { accountByEmail, canonicalEmail } from '../../accounts/account-rows.ts'
import { recordAccountActivity } from '../../accounts/activity/record-activity.ts'
import { toClientInfo } from '../../accounts/activity/client-info.ts'
import type { Env } from '../../env.ts'
import { closeUserSockets } from '../../homes/feed/close-user-sockets.ts'
import { countAttempt, forgottenLimit, passwordMailLimit } from '../../platform/rate-limits/attempt-limits.ts'
import { mailWay } from '../../notifications/email/email-transport.ts'
import { FORGOTTEN_PATH, derivePasswordLinkToken } from '../../notifications/password-reset-link.ts'
import { inBackground } from '../../notifications/notify-in-background.ts'
import { newMessageId, notifyAccount } from '../../notifications/notify-account.ts'
import { tooMany } from '../sign-in/check-credentials.ts'
import { askedPage, requestLinkPage, choosePage, saidPage } from './reset-password-pages.ts'
import { rememberBrowser } from '../sign-in/known-browser.ts'
import { accountOfLink, addLink, hasNewLink, LINK_MS, deleteExpiredLinks, consumeResetLink } from './reset-link-rows.ts'
import { isForeign, readForm, type Context } from '../pages/read-form.ts'
import { newPasswordProblem } from './password-rules.ts'
import { hashPassword } from './hash-password.ts'
import { sendPage } from '../pages/send-page.ts'
import { endSignIns } from '../sign-in/sign-out.ts'

const NO_ADDRESS = 'This is not an e-mail address. Check it and try again.'
const OVER = 'This link is over: it works once, for 30 minutes, and ends with the password. Ask for another.'
const DONE = 'The password is set. Every device has been signed out; sign in with the new one.'
const NO_MAIL = `This ${BRAND_NAME} sends no mail. Ask whoever runs it for a new password.`

interface PageResponse {
  readonly html: string
  readonly status?: number
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

const over = (): PageResponse => ({
  html: saidPage(OVER, { href: FORGOTTEN_PATH, label: 'Ask for another link', isProblem: true }),
  status: 400,
})

/**
 * Sends a reset link unless the account got one within the last minutes, so that requests by strangers do not flood its
 * owner. Runs in the background, so that the response does not reveal whether the account exists.
 */
async function sendLink(env: Env, email: string, ctx: Context, now: number): Promise<void> {
  await deleteExpiredLinks(env.DB, now)
  const account = await accountByEmail(env.DB, email)
  if (account === null || (await hasNewLink(env.DB, account, now))) return
  if ((await countAttempt(env, [passwordMailLimit(email)], now)).waitMs > 0) return
  const until = now + LINK_MS
  const facts = { ...toClientInfo(ctx), until }
  const messageId = newMessageId()
  // Store the link before the email, so that every delivered link works.
  await addLink(env.DB, account, derivePasswordLinkToken(env, messageId), until)
  await notifyAccount(env, {
    userId: account.userId,
    kind: 'password_forgotten',
    key: String(now),
    facts,
    at: now,
    messageId,
  })
}

/** Handles a reset request; the response is the same for every address. */
async function requestResetLink(env: Env, ctx: Context, typed: string, now: number): Promise<PageResponse> {
  const email = canonicalEmail(typed)
  if (!v.is(bareAddress, email))
    return { html: requestLinkPage(FORGOTTEN_PATH, { email: typed.slice(0, 254), error: NO_ADDRESS }) }
  const { waitMs } = await countAttempt(env, [forgottenLimit(ctx.ip)], now)
  if (waitMs > 0) {
    const { error, status, retryAfter } = tooMany(waitMs)
    return { html: requestLinkPage(FORGOTTEN_PATH, { email, error }), status, retryAfter }
  }
  inBackground(env, () => sendLink(env, email, ctx, now), now)
  return { html: askedPage(email, FORGOTTEN_PATH, env.PORTAL_ORIGIN) }
}

/** Sets the password and ends all sign-ins of the account. The second factor stays. */
async function choose(env: Env, ctx: Context, form: URLSearchParams, now: number): Promise<PageResponse> {
  const link = form.get('link') ?? ''
  const account = await accountOfLink(env.DB, link, now)
  if (account === null) return over()
  const { userId, email } = account
  const password = form.get('password') ?? ''
  const error = newPasswordProblem(password, form.get('repeat') ?? '', email)
  if (error !== null) return { html: choosePage(FORGOTTEN_PATH, { link, email, error }) }
  if (!(await consumeResetLink(env.DB, account, { link, hash: await hashPassword(password) }, now))) return over()
  await endSignIns(env.DB, userId, null)
  recordAccountActivity(env, userId, 'password-changed', ctx, now)
  await closeUserSockets(env, userId, now)
  // The reset link proves that the user owns the account, so guesses by strangers must not lock this browser out.
  rememberBrowser(ctx, env, email, now)
  return {
    html: saidPage(DONE, { href: `${env.PORTAL_ORIGIN}/live`, label: `Go to ${BRAND_NAME}`, isProblem: false }),
  }
}

async function answer(env: Env, ctx: Context, now: number): Promise<PageResponse> {
  const way = { href: `${env.PORTAL_ORIGIN}/live`, label: `Go to ${BRAND_NAME}`, isProblem: true }
  if (mailWay(env) === 'none') return { html: saidPage(NO_MAIL, way), status: 404 }
  if (ctx.method === 'POST' && !isForeign(ctx, env.PROVIDER_ORIGIN)) {
    const form = await readForm(ctx.req)
    return form.has('link')
      ? await choose(env, ctx, form, now)
      : await requestResetLink(env, ctx, form.get('email') ?? '', now)
  }
  const { link } = ctx.query
  if (typeof link !== 'string') return { html: requestLinkPage(FORGOTTEN_PATH, { email: '', error: null }) }
  const account = await accountOfLink(env.DB, link, now)
  if (account === null) return over()
  return { html: choosePage(FORGOTTEN_PATH, { link, email: account.email, error: null }) }
}

/** `/account/forgotten`: requests a reset link, and sets the new password with one. */
export function createPasswordResetHandler(env: Env) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== FORGOTTEN_PATH) {
      await next()
      return
    }
    const { html, status = 200, retryAfter } = await answer(env, ctx, Date.now())
    if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
    sendPage(ctx, status, html, env.PORTAL_ORIGIN)
  }
}
