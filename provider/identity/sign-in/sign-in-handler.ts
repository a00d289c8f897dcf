import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { DEMO_ACCOUNTS, DEMO_STATES } from '../../../contract/operator/demo-accounts.ts'
import type { Env } from '../../env.ts'
import { isEmpty } from '../../accounts/account-rows.ts'
import { recordFailedSignIn } from '../../accounts/activity/record-activity.ts'
import { mailWay } from '../../notifications/email/email-transport.ts'
import { FORGOTTEN_PATH } from '../../notifications/password-reset-link.ts'
import { codesLeftPage, secondStepPage } from '../two-factor/sign-in-pages.ts'
import { firstRunPage } from './first-account-page.ts'
import { isForeign, readForm, type Context } from '../pages/read-form.ts'
import { rememberBrowser } from './known-browser.ts'
import { notifyNewSignIn } from './notify-new-sign-in.ts'
import { PASSKEY_SCRIPT_PATH } from '../passkeys/browser-script.ts'
import { createPasskeyRequest } from '../passkeys/passkey-sign-in.ts'
import { renderError } from '../pages/error-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { SHOW_PASSWORD_PATH } from '../pages/show-password-toggle.ts'
import { signInPage, type SignInState } from './sign-in-page.ts'
import { signInPath, signInUid } from './sign-in-path.ts'
import { handleSignInForm, getSignInMethod } from './sign-in-steps.ts'

/**
 * Ends a session of another account that this browser started in the meantime, for example in another tab. The last
 * sign-in wins.
 */
async function leaveOther(provider: Provider, ctx: Context, userId: string): Promise<void> {
  const session = await provider.Session.get(ctx as KoaContextWithOIDC)
  if (session.accountId !== undefined && session.accountId !== userId) await session.destroy()
}

type Typed = Pick<SignInState, 'email' | 'error'> & { readonly code: string }
const NOTHING: Typed = { email: '', code: '', error: null }

/** Shows the sign-in page, or the first-run page if the provider has no account. */
async function showPage(env: Env, ctx: Context, uid: string, status: number, typed: Typed): Promise<void> {
  const action = ctx.path
  if (env.DEMO !== '1' && (await isEmpty(env.DB))) {
    sendPage(ctx, status, firstRunPage({ ...typed, action }), env.PORTAL_ORIGIN)
    return
  }
  const isDemo = env.DEMO === '1'
  const choice = { accounts: isDemo ? DEMO_ACCOUNTS : [], moreAccounts: isDemo ? DEMO_STATES : [] }
  const passkey = await createPasskeyRequest(env, uid, Date.now())
  const forgotten = mailWay(env) === 'none' ? null : FORGOTTEN_PATH
  const html = signInPage({ ...typed, action, ...choice, forgotten, passkey, portalOrigin: env.PORTAL_ORIGIN })
  const scripts = [SHOW_PASSWORD_PATH, ...(passkey === null ? [] : [PASSKEY_SCRIPT_PATH])]
  const script = scripts.map((path) => env.PROVIDER_ORIGIN + path).join(' ')
  sendPage(ctx, status, html, env.PORTAL_ORIGIN, script)
}

/**
 * Sign-in page: GET shows it; POST checks email and password, then the second factor if there is one, and resumes the
 * authorization request. On an empty provider it creates the first account.
 */
export function createSignInHandler(provider: Provider, env: Env) {
  const submit = async (ctx: Context, uid: string) => {
    const form = await readForm(ctx.req)
    const now = Date.now()
    const outcome = await handleSignInForm(env, ctx, uid, form, now)
    if (outcome.state !== 'signed-in') {
      const typed = outcome.state === 'second' ? outcome.step : { email: form.get('email') ?? '', error: outcome.error }
      const concerned = (outcome.state === 'refused' ? outcome.concerns : undefined) ?? typed.email
      if (typed.error !== null)
        recordFailedSignIn(env, { email: concerned, way: getSignInMethod(form) }, outcome, ctx, now)
      if (outcome.retryAfter !== undefined) ctx.set('Retry-After', String(outcome.retryAfter))
      const [email, code] = [form.get('email') ?? '', form.get('setup_code') ?? '']
      if (outcome.state === 'refused')
        await showPage(env, ctx, uid, outcome.status, { email, code, error: outcome.error })
      else sendPage(ctx, outcome.status, secondStepPage(ctx.path, outcome.step), env.PORTAL_ORIGIN)
      return
    }
    await leaveOther(provider, ctx, outcome.userId)
    notifyNewSignIn(env, outcome, ctx, now)
    rememberBrowser(ctx, env, outcome.email, now)
    const login = { accountId: outcome.userId, remember: true }
    const next = await provider.interactionResult(ctx.req, ctx.res, { login }, { mergeWithLastSubmission: false })
    if (outcome.codesLeft === null) {
      ctx.redirect(next)
      ctx.status = 303
    } else sendPage(ctx, 200, codesLeftPage(outcome.codesLeft, next), env.PORTAL_ORIGIN)
  }

  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const uid = signInUid(ctx.path)
    if (uid === null) {
      await next()
      return
    }
    try {
      const interaction = await provider.interactionDetails(ctx.req, ctx.res)
      if (signInPath(interaction.uid) !== ctx.path) throw new errors.SessionNotFound('another authorization request')
      if (ctx.method === 'POST' && !isForeign(ctx, env.PROVIDER_ORIGIN)) await submit(ctx, uid)
      else await showPage(env, ctx, uid, 200, NOTHING)
    } catch (error) {
      const expired = error instanceof errors.SessionNotFound
      if (!expired) console.error(JSON.stringify({ at: 'sign-in', error: String(error) }))
      ctx.status = expired ? 400 : 500
      renderError(ctx as KoaContextWithOIDC, { error: expired ? 'expired' : 'server_error' }, env.PORTAL_ORIGIN)
    }
  }
}
