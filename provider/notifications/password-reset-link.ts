import { createHmac } from 'node:crypto'
import type { Env } from '../env.ts'

/** Derives the token of a reset link from the message id, so that the stored outbox contains no usable link. */
export const derivePasswordLinkToken = (env: Pick<Env, 'TICKET_KEY'>, messageId: string): string =>
  createHmac('sha256', env.TICKET_KEY).update(`password link\n${messageId}`).digest('base64url')

export const passwordAddress = (env: Pick<Env, 'TICKET_KEY' | 'PROVIDER_ORIGIN'>, messageId: string): string =>
  `${env.PROVIDER_ORIGIN}${FORGOTTEN_PATH}?link=${derivePasswordLinkToken(env, messageId)}`

/** Path of the page that requests a password reset and sets the new password. */
export const FORGOTTEN_PATH = '/account/forgotten'
