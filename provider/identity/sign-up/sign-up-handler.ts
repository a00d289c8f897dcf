import { hasNoAccounts } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import { hasOutboxPage } from '../../notifications/email/email-transport.ts'
import { SIGN_UP_PATH } from '../../notifications/email-links.ts'
import { isCrossOriginForm, readForm, type KoaContext } from '../pages/read-form.ts'
import { acceptInvitation, showInvitation } from './accept-invitation.ts'
import { confirmEmail, showConfirmPage } from './confirm-email.ts'
import { createAccountPage } from './create-account-page.ts'
import { RESEND_INTERVAL_MS, renewLink, requestAccount, resendEmail } from './request-account.ts'
import { readVisit, type SignUpVisit } from './sign-up-cookie.ts'
import { CLOSED_MESSAGE, checkEmailPage, confirmedPage, signUpMessagePage } from './sign-up-pages.ts'
import { DEFAULT_PATH, createSignUpUrl, createStepUrl, toPortalPath } from './sign-up-path.ts'
import { getSignUpPolicy, hasSignUpForm } from '../../accounts/invitations/sign-up-policy.ts'
import { sendSignUpResponse, type SignUpResponse } from './sign-up-response.ts'
import { isSignUpConfirmed } from './sign-up-rows.ts'

const TITLE = 'Create account'
const FIRST_ACCOUNT_MESSAGE =
  'No account exists yet. To create the first account, enter the setup code on the login page.'

function handleForm(env: Env, ctx: KoaContext, fields: URLSearchParams, now: number): Promise<SignUpResponse> {
  if (fields.has('invite')) return acceptInvitation(env, ctx, fields, now)
  if (fields.has('link')) return confirmEmail(env, ctx, fields, now)
  if (fields.has('resend')) return resendEmail(env, ctx, now)
  const expiredLink = fields.get('expired')
  return expiredLink === null ? requestAccount(env, ctx, fields, now) : renewLink(env, ctx, expiredLink, now)
}

function renderCheckEmail(env: Env, { email, path, sentAt }: SignUpVisit, wasResent: boolean, now: number): string {
  const waitS = Math.max(0, Math.ceil((sentAt + RESEND_INTERVAL_MS - now) / 1000))
  const outboxUrl = hasOutboxPage(env) ? `${env.PROVIDER_ORIGIN}/mail` : null
  const isInviteOnly = getSignUpPolicy(env) === 'invite'
  return checkEmailPage({ email, path, waitS, wasResent, isInviteOnly, outboxUrl }, env.PORTAL_ORIGIN)
}

/** Responds to a page of the sign-up that the cookie of this browser identifies. */
async function showStep(env: Env, ctx: KoaContext, step: string, now: number): Promise<SignUpResponse> {
  const visit = readVisit(env, ctx)
  if (step === 'done' && visit !== null) return { html: confirmedPage(visit.path, env.PORTAL_ORIGIN) }
  const isConfirmed = visit !== null && (await isSignUpConfirmed(env.DB, visit))
  if (step === 'status') return { json: { confirmed: isConfirmed } }
  if (visit === null) return { location: createSignUpUrl(DEFAULT_PATH) }
  if (step === 'change') {
    const form = { email: visit.email, path: visit.path, problem: null, isChange: true }
    return { html: createAccountPage(form, env.PORTAL_ORIGIN) }
  }
  if (isConfirmed) return { location: createStepUrl('done') }
  return { html: renderCheckEmail(env, visit, step === 'resent', now) }
}

function showPage(env: Env, ctx: KoaContext, now: number): Promise<SignUpResponse> | SignUpResponse {
  const { invite, link, step, path } = ctx.query
  if (typeof invite === 'string') return showInvitation(env, invite, now)
  if (typeof link === 'string') return showConfirmPage(env, ctx, link, now)
  if (typeof step === 'string') return showStep(env, ctx, step, now)
  const form = { email: '', path: toPortalPath(String(path ?? ''), env.PORTAL_ORIGIN), problem: null }
  return { html: createAccountPage(form, env.PORTAL_ORIGIN) }
}

async function handleSignUp(env: Env, ctx: KoaContext, now: number): Promise<SignUpResponse> {
  const logIn = { href: `${env.PORTAL_ORIGIN}${DEFAULT_PATH}`, label: 'Log in' }
  if (env.DEMO !== '1' && (await hasNoAccounts(env.DB)))
    return { html: signUpMessagePage(TITLE, FIRST_ACCOUNT_MESSAGE, logIn, env.PORTAL_ORIGIN) }
  const isOwnForm = ctx.method === 'POST' && !isCrossOriginForm(ctx, env.PROVIDER_ORIGIN)
  const fields = isOwnForm ? await readForm(ctx.req) : null
  const isInvitation =
    fields?.has('invite') ?? (typeof ctx.query['invite'] === 'string' || ctx.query['step'] === 'done')
  if (!isInvitation && !hasSignUpForm(env))
    return { html: signUpMessagePage(TITLE, CLOSED_MESSAGE, logIn, env.PORTAL_ORIGIN), status: 404 }
  return fields === null ? showPage(env, ctx, now) : handleForm(env, ctx, fields, now)
}

/** Creates the handler of `/account/create`, where people create an account and confirm its email address. */
export function createSignUpHandler(env: Env) {
  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    if (ctx.path !== SIGN_UP_PATH) {
      await next()
      return
    }
    sendSignUpResponse(env, ctx, await handleSignUp(env, ctx, Date.now()))
  }
}
