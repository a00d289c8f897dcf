import { createHmac } from 'node:crypto'
import type { Env } from '../env.ts'

/** What stands in a link, made of the id of the message: the outbox holds no link that somebody could open. */
export const derivePasswordLinkToken = (env: Pick<Env, 'TICKET_KEY'>, messageId: string): string =>
  createHmac('sha256', env.TICKET_KEY).update(`password link\n${messageId}`).digest('base64url')

/** Where the link of that message leads. */
export const passwordAddress = (env: Pick<Env, 'TICKET_KEY' | 'PROVIDER_ORIGIN'>, messageId: string): string =>
  `${env.PROVIDER_ORIGIN}${FORGOTTEN_PATH}?link=${derivePasswordLinkToken(env, messageId)}`

/** The page on which somebody asks for a new password, and chooses it. */
export const FORGOTTEN_PATH = '/account/forgotten'
