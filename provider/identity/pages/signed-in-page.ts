import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import type { ActivityKind } from '../../../contract/account/activity.ts'
import { findAccountById, maySignIn, type AccountRow } from '../../accounts/account-rows.ts'
import { recordAccountActivity } from '../../accounts/activity/record-activity.ts'
import type { Env } from '../../env.ts'
import { closeUserSockets } from '../../homes/feed/close-user-sockets.ts'
import type { SignInError } from '../sign-in/check-credentials.ts'
import type { PageAccount } from './account-page-frame.ts'
import { isCrossOriginForm, readForm, type KoaContext } from './read-form.ts'
import { readKnownBrowserCookie } from '../sign-in/known-browser.ts'
import { getRelyingParty } from '../passkeys/relying-party.ts'
import { sendPage } from './send-page.ts'
import { endAllSignIns } from '../sign-in/sign-out.ts'

const SIGN_IN_FIRST_MESSAGE = 'Log in first, then open this page again.'

export interface SignedInRequest {
  readonly env: Env
  readonly ctx: KoaContext
  readonly account: AccountRow
  readonly pageAccount: PageAccount
  readonly ip: string
  /** Id in the known-browser cookie, which proves an earlier sign-in; null without this cookie. */
  readonly known: string | null
  /** Form fields of a POST; empty for a GET and for a cross-origin POST. */
  readonly form: URLSearchParams
  /** ms UTC */
  readonly now: number
}

/**
 * Response of a page. `activity`: kind of the activity log entry. `ended`: true to end all other sign-ins of the
 * account.
 */
export interface SignedInPageResponse {
  readonly html: string
  readonly status?: number
  /** Value of the `Retry-After` header, seconds. */
  readonly retryAfter?: number | undefined
  readonly activity?: ActivityKind
  readonly ended?: true
}

export const redisplayForm = (html: string, { status, retryAfter }: SignInError): SignedInPageResponse => ({
  html,
  status,
  retryAfter,
})

interface AccountPage {
  readonly path: string
  readonly script?: string | undefined
  renderSentence(text: string, pageAccount: PageAccount): string
  handle(pageRequest: SignedInRequest): Promise<SignedInPageResponse> | SignedInPageResponse
}

/**
 * Creates the middleware of a page for the account that is signed in at the provider. Other visitors get the status
 * 403. `page.handle` creates the response, which can also record an activity and end all other sign-ins of the account.
 */
export function signedInPage(provider: Provider, env: Env, page: AccountPage) {
  const hasPasskeySupport = getRelyingParty(env) !== null

  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== page.path) {
      await next()
      return
    }
    const session = await provider.Session.get(ctx as KoaContextWithOIDC)
    const found = session.accountId === undefined ? null : await findAccountById(env.DB, session.accountId)
    const account = found !== null && maySignIn(found, env) ? found : null
    const pageAccount = { email: account?.email ?? '', portalOrigin: env.PORTAL_ORIGIN, passkeys: hasPasskeySupport }
    if (account === null)
      return sendPage(ctx, 403, page.renderSentence(SIGN_IN_FIRST_MESSAGE, pageAccount), env.PORTAL_ORIGIN)
    const acceptsForm = ctx.method === 'POST' && !isCrossOriginForm(ctx, env.PROVIDER_ORIGIN)
    const form = acceptsForm ? await readForm(ctx.req) : new URLSearchParams()
    const now = Date.now()
    const client = { ip: ctx.ip, known: readKnownBrowserCookie(ctx, env, account.email) }
    const response = await page.handle({ env, ctx, account, pageAccount, ...client, form, now })
    if (response.ended) await endAllSignIns(env, account.userId, session.uid)
    if (response.activity) recordAccountActivity(env, account.userId, response.activity, ctx, now)
    if (response.ended) await closeUserSockets(env, account.userId)
    if (response.retryAfter !== undefined) ctx.set('Retry-After', String(response.retryAfter))
    sendPage(ctx, response.status ?? 200, response.html, env.PORTAL_ORIGIN, page.script)
  }
}
