import type Provider from 'oidc-provider'
import { setPasswordHash } from '../../accounts/account-rows.ts'
import type { Env } from '../../env.ts'
import type { FormProblem } from '../pages/form-fields.ts'
import {
  redisplayForm,
  signedInPage,
  type SignedInPageResponse,
  type SignedInRequest,
} from '../pages/signed-in-page.ts'
import { fieldError, toFormProblem, type SignInError } from '../sign-in/check-credentials.ts'
import { confirmPassword } from './confirm-password.ts'
import { changePasswordPage, passwordMessagePage } from './change-password-page.ts'
import { findNewPasswordProblem } from './password-rules.ts'
import { hashPassword } from './hash-password.ts'

export const CHANGE_PASSWORD_PATH = '/account/password'

const NO_PASSWORD_MESSAGE = 'Enter your current password.'
const WRONG_PASSWORD_MESSAGE = 'That isn’t your current password. Try again.'
const CHANGED_MESSAGE = 'Password changed. You’ve been logged out on all other devices.'

async function applyPasswordChange(pageRequest: SignedInRequest): Promise<SignInError | null> {
  const { env, account, form, now } = pageRequest
  const password = form.get('password') ?? ''
  if ((form.get('old') ?? '') === '') return fieldError('old', NO_PASSWORD_MESSAGE)
  const problem = findNewPasswordProblem(password, form.get('repeat') ?? '', account.email)
  if (problem !== null) return fieldError(problem.field ?? 'password', problem.message)
  const passwordError = await confirmPassword(
    env,
    pageRequest,
    { password: form.get('old') ?? '', wrong: WRONG_PASSWORD_MESSAGE },
    now,
  )
  if (passwordError !== null) return passwordError.status === 429 ? passwordError : { ...passwordError, field: 'old' }
  await setPasswordHash(env.DB, account.userId, await hashPassword(password))
  return null
}

async function handleChangePassword(pageRequest: SignedInRequest): Promise<SignedInPageResponse> {
  const { env, account, form } = pageRequest
  const renderForm = (problem: FormProblem | null) => changePasswordPage({ email: account.email, problem })
  if (form.size === 0) return { html: renderForm(null) }
  const problem = await applyPasswordChange(pageRequest)
  if (problem !== null) return redisplayForm(renderForm(toFormProblem(problem)), problem)
  return { html: passwordMessagePage(CHANGED_MESSAGE, env.PORTAL_ORIGIN), activity: 'password-changed', ended: true }
}

/**
 * Creates the handler of `/account/password`, where a signed-in user changes the password. A change ends every other
 * sign-in.
 */
export const createChangePasswordHandler = (provider: Provider, env: Env) =>
  signedInPage(provider, env, {
    path: CHANGE_PASSWORD_PATH,
    renderSentence: (text, { portalOrigin }) => passwordMessagePage(text, portalOrigin),
    handle: handleChangePassword,
  })
