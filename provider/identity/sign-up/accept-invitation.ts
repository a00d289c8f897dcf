import { findAccountByEmail, findAccountById } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import { listCameraNames } from '../../homes/members/notify-share.ts'
import { createAccount } from '../create-account.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { hashPassword } from '../password/hash-password.ts'
import { rememberBrowser } from '../sign-in/known-browser.ts'
import { createAccountPage, type SignUpProblem } from './create-account-page.ts'
import {
  deleteInvitationEmails,
  findInvitationLink,
  listInvitedCameras,
  type InvitationLink,
} from '../../accounts/invitations/invitation-links.ts'
import { findFormProblem, limitRequests } from './request-account.ts'
import { readBrowserToken, writeVisit } from './sign-up-cookie.ts'
import { signUpMessagePage } from './sign-up-pages.ts'
import { DEFAULT_PATH, createStepUrl } from './sign-up-path.ts'
import { getSignUpPolicy } from '../../accounts/invitations/sign-up-policy.ts'
import type { SignUpResponse } from './sign-up-response.ts'
import { deleteOtherSignUps } from './sign-up-rows.ts'

const EXPIRED_MESSAGE = 'Ask for a new invitation.'
const USED_MESSAGE = 'You don’t need this invitation anymore. Log in to your account.'

async function describeInvitation(env: Env, { email, source }: InvitationLink): Promise<string> {
  const owner = source && (await findAccountById(env.DB, source.fromUser))
  if (source === null || owner === null) return `Invitation for ${email}`
  const invitedCameras = await listInvitedCameras(env.DB, source.homeId, email)
  if (invitedCameras.length > 1) return `${owner.email} shared ${invitedCameras.length} cameras with you`
  const [camera = 'a camera'] = await listCameraNames(env, source.homeId, [source.deviceId])
  return `${owner.email} shared ${camera} with you`
}

type InvitationResult = { readonly invitation: InvitationLink } | { readonly response: SignUpResponse }

/** Returns the invitation of a link, or the page for a link that no longer works. */
async function openInvitation(env: Env, token: string, now: number): Promise<InvitationResult> {
  const logIn = { href: env.PORTAL_ORIGIN + DEFAULT_PATH, label: 'Log in' }
  const invitation = await findInvitationLink(env.DB, token, now)
  // Owners invite only while the operator allows sign-ups. The operator may always invite.
  if (invitation === null || (invitation.source !== null && getSignUpPolicy(env) === 'off')) {
    const html = signUpMessagePage('This invitation no longer works', EXPIRED_MESSAGE, logIn, env.PORTAL_ORIGIN)
    return { response: { html, status: 400 } }
  }
  if ((await findAccountByEmail(env.DB, invitation.email)) === null) return { invitation }
  return {
    response: { html: signUpMessagePage('You already have an account', USED_MESSAGE, logIn, env.PORTAL_ORIGIN) },
  }
}

async function renderForm(
  env: Env,
  invitation: InvitationLink,
  token: string,
  problem: SignUpProblem | null,
): Promise<string> {
  const { email } = invitation
  const details = { token, sentence: await describeInvitation(env, invitation) }
  return createAccountPage({ email, path: DEFAULT_PATH, problem, invitation: details }, env.PORTAL_ORIGIN)
}

export async function showInvitation(env: Env, token: string, now: number): Promise<SignUpResponse> {
  const result = await openInvitation(env, token, now)
  return 'response' in result ? result.response : { html: await renderForm(env, result.invitation, token, null) }
}

/** Creates the account of an invited person. The link has confirmed the email address. */
export async function acceptInvitation(
  env: Env,
  ctx: KoaContext,
  fields: URLSearchParams,
  now: number,
): Promise<SignUpResponse> {
  const token = fields.get('invite') ?? ''
  const result = await openInvitation(env, token, now)
  if ('response' in result) return result.response
  const { invitation } = result
  const { userId, email } = invitation
  const password = fields.get('password') ?? ''
  const problem = findFormProblem(email, password)
  if (problem !== null) return { html: await renderForm(env, invitation, token, problem) }
  const details = { token, sentence: await describeInvitation(env, invitation) }
  const limited = await limitRequests(env, ctx, { email, path: DEFAULT_PATH, invitation: details }, now)
  if (limited !== null) return limited
  const passwordHash = await hashPassword(password)
  const created = await createAccount(env, { userId, email, passwordHash, first: false, isSelfService: true }, now)
  if (created === null) return showInvitation(env, token, now)
  await deleteOtherSignUps(env.DB, { userId, email })
  await deleteInvitationEmails(env.DB, userId)
  rememberBrowser(ctx, env, email, now)
  writeVisit(env, ctx, { browser: readBrowserToken(env, ctx), email, path: DEFAULT_PATH, sentAt: now }, now)
  return { location: createStepUrl('done') }
}
