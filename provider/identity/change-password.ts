import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import type { Env } from '../env.ts'
import { closeUserSockets } from '../feed/sockets.ts'
import { accountById, setPasswordHash, type AccountRow } from '../access/accounts.ts'
import { authenticate, refused, type Refused } from './authenticate.ts'
import { isForeign, readForm, type Context } from './form.ts'
import { passwordPage, sentencePage } from './password-page.ts'
import { hashPassword, newPasswordProblem } from './passwords.ts'
import { sendPage } from './send-page.ts'
import { endSignIns } from './sign-out.ts'

export const PASSWORD_PATH = '/account/password'

const WRONG = 'The old password is not right. Check it and try again.'
const SIGN_IN_FIRST = 'Sign in first, then open this page again.'
const DONE = 'The password is changed. Every other device has been signed out.'

async function change(
  env: Env,
  ip: string,
  account: AccountRow,
  form: URLSearchParams,
  now: number,
): Promise<Refused | null> {
  const password = form.get('password') ?? ''
  const problem = newPasswordProblem(password, form.get('repeat') ?? '')
  if (problem !== null) return refused(problem)
  const outcome = await authenticate(env, ip, { email: account.email, password: form.get('old') ?? '' }, now)
  if (outcome.state === 'refused') return outcome.status === 429 ? outcome : refused(WRONG)
  await setPasswordHash(env.DB, account.userId, await hashPassword(password))
  return null
}

/** `/account/password`: whoever is signed in at the provider changes the password; every other sign-in ends. */
export function changePassword(provider: Provider, env: Env) {
  const say = (ctx: Context, status: number, html: string) => sendPage(ctx, status, html, env.PORTAL_ORIGIN)

  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== PASSWORD_PATH) {
      await next()
      return
    }
    const session = await provider.Session.get(ctx as KoaContextWithOIDC)
    const account = session.accountId === undefined ? null : await accountById(env.DB, session.accountId)
    if (account === null) {
      say(ctx, 403, sentencePage(SIGN_IN_FIRST, env.PORTAL_ORIGIN))
      return
    }
    if (ctx.method !== 'POST' || isForeign(ctx, env.PROVIDER_ORIGIN)) {
      say(ctx, 200, passwordPage({ email: account.email, error: null }))
      return
    }
    const now = Date.now()
    const problem = await change(env, ctx.ip, account, await readForm(ctx.req), now)
    if (problem !== null) {
      if (problem.retryAfter !== undefined) ctx.set('Retry-After', String(problem.retryAfter))
      say(ctx, problem.status, passwordPage({ email: account.email, error: problem.error }))
      return
    }
    await endSignIns(env.DB, account.userId, session.uid)
    await closeUserSockets(env, account.userId, now)
    say(ctx, 200, sentencePage(DONE, env.PORTAL_ORIGIN))
  }
}
