import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { DEMO_ACCOUNTS } from '../../contract/admin.ts'
import type { Env } from '../env.ts'
import { isEmpty } from '../access/accounts.ts'
import { authenticate } from './authenticate.ts'
import { createFirst } from './first-run.ts'
import { firstRunPage } from './first-run-page.ts'
import { isForeign, readForm, type Context } from './form.ts'
import { renderError } from './problem-page.ts'
import { sendPage } from './send-page.ts'
import { signInPage, type SignInState } from './sign-in-page.ts'
import { signInPath, signInUid } from './sign-in-path.ts'

/** Ends the session that this browser has meanwhile begun as somebody else, e.g. in another tab: the last sign-in counts. */
async function leaveOther(provider: Provider, ctx: Context, userId: string): Promise<void> {
  const session = await provider.Session.get(ctx as KoaContextWithOIDC)
  if (session.accountId !== undefined && session.accountId !== userId) await session.destroy()
}

/** What was typed, and what was wrong with it. */
type Typed = Pick<SignInState, 'email' | 'error'> & { readonly code: string }
const NOTHING: Typed = { email: '', code: '', error: null }

/**
 * Our sign-in page: GET shows it, POST checks e-mail and password and goes on with the authorization request. On a
 * provider that has no account yet it is the page that makes the first one.
 */
export function signIn(provider: Provider, env: Env) {
  const isFirstRun = async () => env.DEMO !== '1' && (await isEmpty(env.DB))

  const show = async (ctx: Context, status: number, typed: Typed) => {
    const firstRun = await isFirstRun()
    const action = ctx.path
    const accounts = env.DEMO === '1' ? DEMO_ACCOUNTS : []
    const html = firstRun ? firstRunPage({ ...typed, action }) : signInPage({ ...typed, action, accounts })
    sendPage(ctx, status, html, env.PORTAL_ORIGIN)
  }

  const submit = async (ctx: Context) => {
    const form = await readForm(ctx.req)
    const email = form.get('email') ?? ''
    const now = Date.now()
    const outcome = form.has('setup_code')
      ? await createFirst(env, ctx.ip, form, now)
      : await authenticate(env, ctx.ip, { email, password: form.get('password') ?? '' }, now)
    if (outcome.state === 'refused') {
      if (outcome.retryAfter !== undefined) ctx.set('Retry-After', String(outcome.retryAfter))
      await show(ctx, outcome.status, { email, code: form.get('setup_code') ?? '', error: outcome.error })
      return
    }
    await leaveOther(provider, ctx, outcome.userId)
    const login = { accountId: outcome.userId, remember: true }
    ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, { login }, { mergeWithLastSubmission: false }))
    ctx.status = 303
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
      if (ctx.method === 'POST' && !isForeign(ctx, env.PROVIDER_ORIGIN)) await submit(ctx)
      else await show(ctx, 200, NOTHING)
    } catch (error) {
      const expired = error instanceof errors.SessionNotFound
      if (!expired) console.error(JSON.stringify({ at: 'sign-in', error: String(error) }))
      ctx.status = expired ? 400 : 500
      renderError(ctx as KoaContextWithOIDC, { error: expired ? 'expired' : 'server_error' }, env.PORTAL_ORIGIN)
    }
  }
}
