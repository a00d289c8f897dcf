import { StopError } from './stop.ts'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/**
 * Parses `SMTP_URL`: `smtps:` starts with TLS, `smtp:` requires STARTTLS unless the server is on this machine. Throws a
 * `StopError` if the URL is invalid.
 */
export function parseSmtpUrl(smtpUrl: string) {
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : null
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new StopError('SMTP_URL must be the URL of a mail server, such as smtp://user:password@mail.example.com:587.')
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const isLocal = LOOPBACK_HOSTS.includes(url.hostname)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 465 : user === '' ? 25 : 587)),
    secure,
    // Emails contain links that open an account, so a remote mail server must accept TLS. Otherwise, sending fails.
    requireTLS: !secure && !isLocal,
    // A server on this machine may have a self-signed certificate.
    ...(isLocal ? { tls: { rejectUnauthorized: false } } : {}),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
  }
}
