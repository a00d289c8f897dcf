import type { Env } from '../../env.ts'
import { apiTransport } from './api-transport.ts'
import type { Transport } from './delivery.ts'

/**
 * Who sends mails here. `api`: this Worker posts them; `smtp`: the part `mailer` of `npm start` takes them; `kept`: they stay in
 * the outbox of this machine; `none`: nobody, so no mail is made.
 */
export type EmailTransportKind = 'api' | 'smtp' | 'kept' | 'none'

type Settings = Pick<
  Env,
  'MAIL_API_URL' | 'MAIL_API_KEY' | 'MAIL_FROM' | 'SMTP_URL' | 'DEMO' | 'PROVIDER_ORIGIN' | 'OWN_DOMAIN'
>

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Whether what this machine keeps may be looked at in a browser: demo accounts only, and nobody else reaches it. */
export const hasOutboxPage = (env: Pick<Settings, 'DEMO' | 'PROVIDER_ORIGIN'>): boolean =>
  env.DEMO === '1' && LOOPBACK.includes(new URL(env.PROVIDER_ORIGIN).hostname)

export function mailWay(env: Settings): EmailTransportKind {
  if (env.MAIL_API_URL) return 'api'
  if (env.SMTP_URL) return 'smtp'
  return hasOutboxPage(env) ? 'kept' : 'none'
}

export const mailFrom = ({ MAIL_FROM, OWN_DOMAIN }: Pick<Settings, 'MAIL_FROM' | 'OWN_DOMAIN'>): string =>
  MAIL_FROM || `mail@${OWN_DOMAIN}`

/** Where this Worker sends itself; null where another does. `fetcher` reaches the network. */
export function createTransport(env: Settings, fetcher: typeof fetch): Transport | null {
  const { MAIL_API_URL: url, MAIL_API_KEY: key = '' } = env
  return url ? apiTransport({ url, key }, fetcher) : null
}
