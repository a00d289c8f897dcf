import type { Env } from '../../env.ts'
import { apiTransport } from './api-transport.ts'
import type { EmailTransport } from './delivery.ts'

/**
 * Transport of emails. `api`: this Worker posts them; `smtp`: the process `mailer` of `npm start` fetches them; `kept`:
 * they stay in the local outbox; `none`: no emails are made.
 */
export type EmailTransportKind = 'api' | 'smtp' | 'kept' | 'none'

type Settings = Pick<
  Env,
  'MAIL_API_URL' | 'MAIL_API_KEY' | 'MAIL_FROM' | 'SMTP_URL' | 'DEMO' | 'PROVIDER_ORIGIN' | 'OWN_DOMAIN'
>

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * True if a browser may read the local outbox: demo accounts only, on a loopback address that no other machine reaches.
 */
export const hasOutboxPage = (env: Pick<Settings, 'DEMO' | 'PROVIDER_ORIGIN'>): boolean =>
  env.DEMO === '1' && LOOPBACK.includes(new URL(env.PROVIDER_ORIGIN).hostname)

export function mailWay(env: Settings): EmailTransportKind {
  if (env.MAIL_API_URL) return 'api'
  if (env.SMTP_URL) return 'smtp'
  return hasOutboxPage(env) ? 'kept' : 'none'
}

export const mailFrom = ({ MAIL_FROM, OWN_DOMAIN }: Pick<Settings, 'MAIL_FROM' | 'OWN_DOMAIN'>): string =>
  MAIL_FROM || `mail@${OWN_DOMAIN}`

/** Returns the transport of this Worker, or null if another process sends. `fetcher` reaches the network. */
export function createTransport(env: Settings, fetcher: typeof fetch): EmailTransport | null {
  const { MAIL_API_URL: url, MAIL_API_KEY: key = '' } = env
  return url ? apiTransport({ url, key }, fetcher) : null
}
