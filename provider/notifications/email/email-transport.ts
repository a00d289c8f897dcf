import type { Env } from '../../env.ts'
import { createApiTransport } from './api-transport.ts'
import type { EmailTransport } from './delivery.ts'

/**
 * How the provider sends emails. `api`: this Worker posts them. `smtp`: the mailer process of `npm start` leases them.
 * `kept`: they stay in the local outbox. `none`: they are not sent.
 */
export type EmailTransportKind = 'api' | 'smtp' | 'kept' | 'none'

type TransportSettings = Pick<
  Env,
  'MAIL_API_URL' | 'MAIL_API_KEY' | 'MAIL_FROM' | 'SMTP_URL' | 'DEMO' | 'PROVIDER_ORIGIN' | 'OWN_DOMAIN'
>

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns true if a browser may read the local outbox: only with demo accounts, and only at a loopback address of this
 * machine.
 */
export const hasOutboxPage = (env: Pick<TransportSettings, 'DEMO' | 'PROVIDER_ORIGIN'>): boolean =>
  env.DEMO === '1' && LOOPBACK_HOSTS.includes(new URL(env.PROVIDER_ORIGIN).hostname)

export function getEmailTransportKind(env: TransportSettings): EmailTransportKind {
  if (env.MAIL_API_URL) return 'api'
  if (env.SMTP_URL) return 'smtp'
  return hasOutboxPage(env) ? 'kept' : 'none'
}

export const getSenderAddress = ({
  MAIL_FROM,
  OWN_DOMAIN,
}: Pick<TransportSettings, 'MAIL_FROM' | 'OWN_DOMAIN'>): string => MAIL_FROM || `mail@${OWN_DOMAIN}`

/**
 * Returns the transport for emails that this Worker sends itself; null if the transport kind is not `api`. `fetcher`:
 * performs the HTTP requests.
 */
export function createTransport(env: TransportSettings, fetcher: typeof fetch): EmailTransport | null {
  const { MAIL_API_URL: url, MAIL_API_KEY: key = '' } = env
  return url ? createApiTransport({ url, key }, fetcher) : null
}
