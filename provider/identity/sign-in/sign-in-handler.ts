import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { DEMO_ACCOUNTS, DEMO_PLAN_STATE_ACCOUNTS } from '../../../contract/operator/demo-accounts.ts'
import type { Env } from '../../env.ts'
import { hasNoAccounts } from '../../accounts/account-rows.ts'
import { recordFailedSignIn } from '../../accounts/activity/record-activity.ts'
import { getEmailTransportKind } from '../../notifications/email/email-transport.ts'
import { PASSWORD_RESET_PATH } from '../../notifications/email-links.ts'
import { recoveryCodesLeftPage, secondStepPage } from '../two-factor/sign-in-pages.ts'
import { firstAccountPage } from './first-account-page.ts'
import { isCrossOriginForm, readForm, type KoaContext } from '../pages/read-form.ts'
import { rememberBrowser } from './known-browser.ts'
import { notifyNewSignIn } from './notify-new-sign-in.ts'
import { PASSKEY_SCRIPT_PATH } from '../passkeys/browser-script.ts'
import { createPasskeyRequest } from '../passkeys/passkey-sign-in.ts'
import { renderError } from '../pages/error-page.ts'
import { sendPage } from '../pages/send-page.ts'
import { SHOW_PASSWORD_PATH } from '../pages/show-password-toggle.ts'
import { signInPage, type SignInPageProps } from './sign-in-page.ts'
import { signInPath, parseSignInUid } from './sign-in-path.ts'
import { createSignUpUrl } from '../sign-up/sign-up-path.ts'
import { hasSignUpForm } from '../../accounts/invitations/sign-up-policy.ts'
import { toFormProblem } from './check-credentials.ts'
import { handleSignInForm, getSignInMethod } from './sign-in-steps.ts'

/** Ends the session of another account in this browser, for example from another tab. The latest sign-in wins. */
async function endOtherSession(provider: Provider, ctx: KoaContext, userId: string): Promise<void> {
  const session = await provider.Session.get(ctx as KoaContextWithOIDC)
  if (session.accountId !== undefined && session.accountId !== userId) await session.destroy()
}

/** `path`: page of the portal that the user wants to open. */
type SignInFormValues = Pick<SignInPageProps, 'email' | 'problem'> & { readonly code: string; readonly path: string }

async function sendSignInPage(
  env: Env,
  ctx: KoaContext,
  uid: string,
  status: number,
  formValues: SignInFormValues,
): Promise<void> {
  const action = ctx.path
  if (env.DEMO !== '1' && (await hasNoAccounts(env.DB))) {
    sendPage(ctx, status, firstAccountPage({ ...formValues, action }), env.PORTAL_ORIGIN)
    return
  }
  const isDemo = env.DEMO === '1'
  const demoAccounts = { accounts: isDemo ? DEMO_ACCOUNTS : [], moreAccounts: isDemo ? DEMO_PLAN_STATE_ACCOUNTS : [] }
  const passkey = await createPasskeyRequest(env, uid, Date.now())
  const resetPath = getEmailTransportKind(env) === 'none' ? null : PASSWORD_RESET_PATH
  const html = signInPage({
    ...formValues,
    action,
    ...demoAccounts,
    resetPath,
    signUpUrl: hasSignUpForm(env) ? createSignUpUrl(formValues.path) : null,
    passkey,
    portalOrigin: env.PORTAL_ORIGIN,
  })
  const scripts = [SHOW_PASSWORD_PATH, ...(passkey === null ? [] : [PASSKEY_SCRIPT_PATH])]
  const script = scripts.map((path) => env.PROVIDER_ORIGIN + path).join(' ')
  sendPage(ctx, status, html, env.PORTAL_ORIGIN, script)
}

/**
 * Creates the handler of the sign-in page. POST checks the credentials and any second factor, then resumes the
 * authorization request. If the provider has no account, POST creates the first account.
 */
export function createSignInHandler(provider: Provider, env: Env) {
  const submit = async (ctx: KoaContext, uid: string, path: string) => {
    const form = await readForm(ctx.req)
    const now = Date.now()
    const outcome = await handleSignInForm(env, ctx, uid, form, now)
    if (outcome.state !== 'signed-in') {
      const typed = outcome.state === 'second' ? outcome.step : { email: form.get('email') ?? '', error: outcome.error }
      const targetEmail = (outcome.state === 'refused' ? outcome.concerns : undefined) ?? typed.email
      // A form with an empty or malformed field is no attempt to sign in.
      const isAttempt = typed.error !== null && (outcome.state === 'second' || outcome.field === undefined)
      if (isAttempt) recordFailedSignIn(env, { email: targetEmail, way: getSignInMethod(form) }, outcome, ctx, now)
      if (outcome.retryAfter !== undefined) ctx.set('Retry-After', String(outcome.retryAfter))
      const [email, code] = [form.get('email') ?? '', form.get('setup_code') ?? '']
      if (outcome.state === 'refused')
        await sendSignInPage(env, ctx, uid, outcome.status, { email, code, path, problem: toFormProblem(outcome) })
      else sendPage(ctx, outcome.status, secondStepPage(ctx.path, outcome.step), env.PORTAL_ORIGIN)
      return
    }
    await endOtherSession(provider, ctx, outcome.userId)
    notifyNewSignIn(env, outcome, ctx, now)
    rememberBrowser(ctx, env, outcome.email, now)
    const login = { accountId: outcome.userId, remember: true }
    const nextUrl = await provider.interactionResult(ctx.req, ctx.res, { login }, { mergeWithLastSubmission: false })
    if (outcome.codesLeft === null) {
      ctx.redirect(nextUrl)
      ctx.status = 303
    } else sendPage(ctx, 200, recoveryCodesLeftPage(outcome.codesLeft, nextUrl), env.PORTAL_ORIGIN)
  }

  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    const uid = parseSignInUid(ctx.path)
    if (uid === null) {
      await next()
      return
    }
    try {
      const interaction = await provider.interactionDetails(ctx.req, ctx.res)
      if (signInPath(interaction.uid) !== ctx.path) throw new errors.SessionNotFound('another authorization request')
      // The portal sends the requested page as `state`.
      const path = String(interaction.params['state'] ?? '')
      if (ctx.method === 'POST' && !isCrossOriginForm(ctx, env.PROVIDER_ORIGIN)) await submit(ctx, uid, path)
      else await sendSignInPage(env, ctx, uid, 200, { email: '', code: '', path, problem: null })
    } catch (error) {
      const isExpired = error instanceof errors.SessionNotFound
      if (!isExpired) console.error(JSON.stringify({ at: 'sign-in', error: String(error) }))
      ctx.status = isExpired ? 400 : 500
      renderError(ctx as KoaContextWithOIDC, { error: isExpired ? 'expired' : 'server_error' }, env.PORTAL_ORIGIN)
    }
  }
}
