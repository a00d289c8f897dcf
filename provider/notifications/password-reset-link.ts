import { createHmac } from 'node:crypto'
import type { Env } from '../env.ts'

/**
 * Derives the token of a reset link from the message id and a secret key. The stored outbox therefore contains no
 * usable link.
 */
export const deriveResetLinkToken = (env: Pick<Env, 'TICKET_KEY'>, messageId: string): string =>
  createHmac('sha256', env.TICKET_KEY).update(`password link\n${messageId}`).digest('base64url')

export const createPasswordResetUrl = (env: Pick<Env, 'TICKET_KEY' | 'PROVIDER_ORIGIN'>, messageId: string): string =>
  `${env.PROVIDER_ORIGIN}${PASSWORD_RESET_PATH}?link=${deriveResetLinkToken(env, messageId)}`

export const PASSWORD_RESET_PATH = '/account/forgotten'
