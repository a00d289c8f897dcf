import { Stop } from './stop.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Where `SMTP_URL` leads: `smtps:` begins with TLS, `smtp:` insists on it where the server is another machine. */
export function smtpOptions(address: string) {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new Stop('SMTP_URL is not the address of a mail server, such as smtp://user:password@mail.example.com:587.')
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const isHere = LOOPBACK.includes(url.hostname)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 465 : user === '' ? 25 : 587)),
    secure,
    // Letters hold links that open an account: they leave this machine encrypted or not at all.
    requireTLS: !secure && !isHere,
    // A server at this machine may have a certificate of its own.
    ...(isHere ? { tls: { rejectUnauthorized: false } } : {}),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
  }
}
