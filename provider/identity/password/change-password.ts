import type Provider from 'oidc-provider'
import { setPasswordHash } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import { redisplayForm, signedInPage, type SignedInPageResponse, type Visit } from '../pages/signed-in-page.ts'
import { signInError, type SignInError } from '../sign-in/check-credentials.ts'
import { confirmPassword } from './confirm-password.ts'
import { passwordPage, sentencePage } from './change-password-page.ts'
import { newPasswordProblem } from './password-rules.ts'
import { hashPassword } from './hash-password.ts'

export const PASSWORD_PATH = '/account/password'

const WRONG = 'The old password is not right. Check it and try again.'
const DONE = 'The password is changed. Every other device has been signed out.'

async function change(visit: Visit): Promise<SignInError | null> {
  const { env, account, form, now } = visit
  const password = form.get('password') ?? ''
  const problem = newPasswordProblem(password, form.get('repeat') ?? '', account.email)
  if (problem !== null) return signInError(problem)
  const wrong = await confirmPassword(env, visit, { password: form.get('old') ?? '', wrong: WRONG }, now)
  if (wrong !== null) return wrong
  await setPasswordHash(env.DB, account.userId, await hashPassword(password))
  return null
}

async function answer(visit: Visit): Promise<SignedInPageResponse> {
  const { env, account, form } = visit
  const page = (error: string | null) => passwordPage({ email: account.email, error })
  if (form.size === 0) return { html: page(null) }
  const problem = await change(visit)
  if (problem !== null) return redisplayForm(page(problem.error), problem)
  return { html: sentencePage(DONE, env.PORTAL_ORIGIN), noted: 'password-changed', ended: true }
}

/** `/account/password`: a user signed in at the provider changes the password; every other sign-in ends. */
export const changePassword = (provider: Provider, env: Env) =>
  signedInPage(provider, env, {
    path: PASSWORD_PATH,
    sentence: (text, { portalOrigin }) => sentencePage(text, portalOrigin),
    answer,
  })
