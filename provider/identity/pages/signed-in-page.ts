import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import type { ActivityKind } from '../../../contract/account/activity.ts'
import { accountById, type AccountRow } from '../../accounts/account-rows.ts'
import { recordAccountActivity } from '../../accounts/activity/record-activity.ts'
import type { Env } from '../../env.ts'
import { closeUserSockets } from '../../homes/feed/close-user-sockets.ts'
import type { SignInError } from '../sign-in/check-credentials.ts'
import type { PageAccount } from './account-page-frame.ts'
import { isForeign, readForm, type Context } from './read-form.ts'
import { readKnownBrowserCookie } from '../sign-in/known-browser.ts'
import { relyingParty } from '../passkeys/relying-party.ts'
import { sendPage } from './send-page.ts'
import { endSignIns } from '../sign-in/sign-out.ts'

const SIGN_IN_FIRST = 'Sign in first, then open this page again.'

export interface Visit {
  readonly env: Env
  readonly ctx: Context
  readonly account: AccountRow
  readonly whose: PageAccount
  readonly ip: string
  /** Id of the known-browser cookie; proves an earlier sign-in. */
  readonly known: string | null
  /** Form posted by the page itself; empty for a GET. */
  readonly form: URLSearchParams
  /** ms UTC */
  readonly now: number
}

/** `noted`: entry of the activity log; `ended`: ends the account's other sign-ins. */
export interface SignedInPageResponse {
  readonly html: string
  readonly status?: number
  /** Seconds. */
  readonly retryAfter?: number | undefined
  readonly noted?: ActivityKind
  readonly ended?: true
}

export const redisplayForm = (html: string, { status, retryAfter }: SignInError): SignedInPageResponse => ({
  html,
  status,
  retryAfter,
})

interface AccountPage {
  readonly path: string
  /** URL of the page's only script. */
  readonly script?: string | undefined
  sentence(text: string, pageAccount: PageAccount): string
  answer(visit: Visit): Promise<SignedInPageResponse> | SignedInPageResponse
}

/** Serves a page to the account that is signed in at the provider, and carries out the response of `page.answer`. */
export function signedInPage(provider: Provider, env: Env, page: AccountPage) {
  const passkeys = relyingParty(env) !== null

  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== page.path) {
      await next()
      return
    }
    const session = await provider.Session.get(ctx as KoaContextWithOIDC)
    const account = session.accountId === undefined ? null : await accountById(env.DB, session.accountId)
    const pageAccount = { email: account?.email ?? '', portalOrigin: env.PORTAL_ORIGIN, passkeys }
    if (account === null) return sendPage(ctx, 403, page.sentence(SIGN_IN_FIRST, pageAccount), env.PORTAL_ORIGIN)
    const takes = ctx.method === 'POST' && !isForeign(ctx, env.PROVIDER_ORIGIN)
    const form = takes ? await readForm(ctx.req) : new URLSearchParams()
    const now = Date.now()
    const client = { ip: ctx.ip, known: readKnownBrowserCookie(ctx, env, account.email) }
    const answer = await page.answer({ env, ctx, account, whose: pageAccount, ...client, form, now })
    if (answer.ended) await endSignIns(env.DB, account.userId, session.uid)
    if (answer.noted) recordAccountActivity(env, account.userId, answer.noted, ctx, now)
    if (answer.ended) await closeUserSockets(env, account.userId, now)
    if (answer.retryAfter !== undefined) ctx.set('Retry-After', String(answer.retryAfter))
    sendPage(ctx, answer.status ?? 200, answer.html, env.PORTAL_ORIGIN, page.script)
  }
}
