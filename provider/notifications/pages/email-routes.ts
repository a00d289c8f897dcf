import type { Hono } from 'hono'
import { notFound } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { pageHeaders } from '../../identity/pages/send-page.ts'
import { hasOutboxPage } from '../email/email-transport.ts'
import { findStoredEmail, listStoredEmails, composeEmail } from '../email-outbox.ts'
import { parseUnsubscribeUrl, resubscribe, unsubscribe, UNSUBSCRIBE_PATH } from '../unsubscribe.ts'
import { emailListPage, emailPage, unsubscribePage } from './email-pages.ts'

/** Content security policy of a displayed email: allows inline styles, and links that open in the top window. */
const EMAIL_CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation"

/**
 * Throws 404 without a local outbox. Also throws 404 if the host of the URL is not the provider's host, which prevents
 * DNS rebinding.
 */
function requireOutboxPage(env: Env, url: string): void {
  if (!hasOutboxPage(env) || new URL(url).host !== new URL(env.PROVIDER_ORIGIN).host) throw notFound()
}

async function readStoredEmail(env: Env, id: string) {
  const row = await findStoredEmail(env.DB, id)
  const mail = row && composeEmail(env, row)
  if (row === null || mail === null) throw notFound()
  return { ...mail, at: row.at }
}

export function mailRoutes(app: Hono<AppEnv>): void {
  app.get('/mail', async (c) => {
    requireOutboxPage(c.env, c.req.url)
    const mails = (await listStoredEmails(c.env.DB)).flatMap((row) => {
      const mail = composeEmail(c.env, row)
      return mail ? { ...mail, at: row.at } : []
    })
    return c.html(emailListPage(mails), 200, pageHeaders(c.env.PORTAL_ORIGIN))
  })
  unsubscribeRoutes(app)
  app.get('/mail/:id', async (c) => {
    requireOutboxPage(c.env, c.req.url)
    const headers = pageHeaders(c.env.PORTAL_ORIGIN)
    const policy = `${headers['Content-Security-Policy'] ?? ''}; frame-src 'self'`
    return c.html(emailPage(await readStoredEmail(c.env, c.req.param('id'))), 200, {
      ...headers,
      'Content-Security-Policy': policy,
    })
  })
  app.get('/mail/:id/html', async (c) => {
    requireOutboxPage(c.env, c.req.url)
    const { html } = await readStoredEmail(c.env, c.req.param('id'))
    // Make links open in the top window instead of the iframe.
    const framedHtml = html.replace('<head>', '<head><base target="_top">')
    return c.html(framedHtml, 200, {
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': EMAIL_CONTENT_POLICY,
    })
  })
}

/**
 * Mounts the unsubscribe page. GET shows a confirmation. POST unsubscribes, or subscribes again if `resume` is 1. Email
 * programs send the POST without the confirmation (RFC 8058).
 */
function unsubscribeRoutes(app: Hono<AppEnv>): void {
  app.on(['GET', 'POST'], UNSUBSCRIBE_PATH, async (c) => {
    const query = new URL(c.req.url).searchParams
    const optOut = parseUnsubscribeUrl(c.env, query)
    if (optOut === null) throw notFound()
    const { PORTAL_ORIGIN } = c.env
    const isResuming = query.get('resume') === '1'
    if (c.req.method === 'POST') await (isResuming ? resubscribe : unsubscribe)(c.env.DB, optOut)
    const state = c.req.method === 'GET' ? 'asked' : isResuming ? 'resumed' : 'stopped'
    query.set('resume', state === 'stopped' ? '1' : '0')
    return c.html(
      unsubscribePage(state, `${UNSUBSCRIBE_PATH}?${query.toString()}`, PORTAL_ORIGIN),
      200,
      pageHeaders(PORTAL_ORIGIN),
    )
  })
}
