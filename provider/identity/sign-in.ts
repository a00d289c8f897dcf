import type { IncomingMessage } from 'node:http'
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { DEMO_ACCOUNTS } from '../../contract/admin.ts'
import type { Env } from '../env.ts'
import { accountByEmail } from './accounts.ts'
import { beginAttempt } from './attempts.ts'
import { checkPassword } from './passwords.ts'
import { renderError } from './problem-page.ts'
import { sendPage } from './send-page.ts'
import { signInPage, type SignInState } from './sign-in-page.ts'
import { signInPath, signInUid } from './sign-in-path.ts'
import { sweepExpired } from './sign-out.ts'

const FORM_MAX = 8 * 1024
const WRONG = 'That e-mail address and password do not belong together. Check both and try again.'

type Context = Parameters<Parameters<Provider['use']>[0]>[0]

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > FORM_MAX) return new URLSearchParams()
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

function waitSentence(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  return `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
}

type Outcome =
  { state: 'signed-in'; userId: string } | { state: 'refused'; status: number; error: string; retryAfter?: number }

async function authenticate(env: Env, ip: string, email: string, password: string): Promise<Outcome> {
  const attempt = await beginAttempt(env, email, ip, Date.now())
  if (attempt.waitMs > 0) {
    return {
      state: 'refused',
      status: 429,
      error: waitSentence(attempt.waitMs),
      retryAfter: Math.ceil(attempt.waitMs / 1000),
    }
  }
  const account = await accountByEmail(env.DB, email)
  if (!(await checkPassword(password, account?.passwordHash ?? null)) || account === null) {
    return { state: 'refused', status: 200, error: WRONG }
  }
  await Promise.all([attempt.succeeded(), sweepExpired(env.DB, Date.now())])
  return { state: 'signed-in', userId: account.userId }
}

/** Ends the session that this browser has meanwhile begun as somebody else, e.g. in another tab: the last sign-in counts. */
async function leaveOther(provider: Provider, ctx: Context, userId: string): Promise<void> {
  const session = await provider.Session.get(ctx as KoaContextWithOIDC)
  if (session.accountId !== undefined && session.accountId !== userId) await session.destroy()
}

/** Our sign-in page: GET shows it, POST checks e-mail and password and goes on with the authorization request. */
export function signIn(provider: Provider, env: Env) {
  const show = (ctx: Context, status: number, page: Pick<SignInState, 'email' | 'error'>) => {
    const accounts = env.DEMO === '1' ? DEMO_ACCOUNTS : []
    sendPage(ctx, status, signInPage({ ...page, action: ctx.path, accounts }), env.PORTAL_ORIGIN)
  }

  const submit = async (ctx: Context) => {
    const form = await readForm(ctx.req)
    const email = form.get('email') ?? ''
    const outcome = await authenticate(env, ctx.ip, email, form.get('password') ?? '')
    if (outcome.state === 'refused') {
      if (outcome.retryAfter !== undefined) ctx.set('Retry-After', String(outcome.retryAfter))
      show(ctx, outcome.status, { email, error: outcome.error })
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
      const foreign = ctx.get('origin') !== '' && ctx.get('origin') !== env.PROVIDER_ORIGIN
      if (ctx.method === 'POST' && !foreign) await submit(ctx)
      else show(ctx, 200, { email: '', error: null })
    } catch (error) {
      const expired = error instanceof errors.SessionNotFound
      if (!expired) console.error(JSON.stringify({ at: 'sign-in', error: String(error) }))
      ctx.status = expired ? 400 : 500
      renderError(ctx as KoaContextWithOIDC, { error: expired ? 'expired' : 'server_error' }, env.PORTAL_ORIGIN)
    }
  }
}
