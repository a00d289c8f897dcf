import { createHmac } from 'node:crypto'
import type { NotificationKind } from '../../contract/account/notifications.ts'
import type { Env } from '../env.ts'

/**
 * Derives the token of a reset link from the message id and a secret key. The stored outbox therefore contains no
 * usable link.
 */
export const deriveResetLinkToken = (env: Pick<Env, 'TICKET_KEY'>, messageId: string): string =>
  createHmac('sha256', env.TICKET_KEY).update(`password link\n${messageId}`).digest('base64url')

export const PASSWORD_RESET_PATH = '/account/forgotten'

/** Derives the token of a sign-up link from the message id, as `deriveResetLinkToken` does. */
export const deriveSignUpToken = (env: Pick<Env, 'TICKET_KEY'>, messageId: string): string =>
  createHmac('sha256', env.TICKET_KEY).update(`sign-up link\n${messageId}`).digest('base64url')

/** Derives the token of an invitation link from the message id, as `deriveResetLinkToken` does. */
export const deriveInvitationToken = (env: Pick<Env, 'TICKET_KEY'>, messageId: string): string =>
  createHmac('sha256', env.TICKET_KEY).update(`invitation link\n${messageId}`).digest('base64url')

export const SIGN_UP_PATH = '/account/create'

/** Returns the URL with a secret token that the email of this kind contains; '' for kinds without such a URL. */
export function createEmailLink(
  env: Pick<Env, 'TICKET_KEY' | 'PROVIDER_ORIGIN'>,
  kind: NotificationKind,
  messageId: string,
): string {
  if (kind === 'password_forgotten')
    return `${env.PROVIDER_ORIGIN}${PASSWORD_RESET_PATH}?link=${deriveResetLinkToken(env, messageId)}`
  if (kind === 'confirm_sign_up')
    return `${env.PROVIDER_ORIGIN}${SIGN_UP_PATH}?link=${deriveSignUpToken(env, messageId)}`
  if (kind === 'camera_invitation')
    return `${env.PROVIDER_ORIGIN}${SIGN_UP_PATH}?invite=${deriveInvitationToken(env, messageId)}`
  return ''
}
