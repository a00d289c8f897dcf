import type { Hono } from 'hono'
import { notFound } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { pageHeaders } from '../../identity/pages/send-page.ts'
import { hasOutboxPage } from '../email/email-transport.ts'
import { keptMail, keptMails, composeEmail } from '../email-outbox.ts'
import { readStop, resumeLetters, unsubscribe, STOP_PATH } from '../unsubscribe.ts'
import { mailListPage, mailPage, stopPage } from './email-pages.ts'

/** Policy for viewing an email: inline styles, and links that open in the top window. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation"

/** Throws 404 without a local outbox, or for another host name that points to this machine (DNS rebinding). */
function mustBeHere(env: Env, url: string): void {
  if (!hasOutboxPage(env) || new URL(url).host !== new URL(env.PROVIDER_ORIGIN).host) throw notFound()
}

async function keptOne(env: Env, id: string) {
  const row = await keptMail(env.DB, id)
  const mail = row && composeEmail(env, row)
  if (row === null || mail === null) throw notFound()
  return { ...mail, at: row.at }
}

export function mailRoutes(app: Hono<AppEnv>): void {
  app.get('/mail', async (c) => {
    mustBeHere(c.env, c.req.url)
    const mails = (await keptMails(c.env.DB)).flatMap((row) => {
      const mail = composeEmail(c.env, row)
      return mail ? { ...mail, at: row.at } : []
    })
    return c.html(mailListPage(mails), 200, pageHeaders(c.env.PORTAL_ORIGIN))
  })
  stopRoutes(app)
  app.get('/mail/:id', async (c) => {
    mustBeHere(c.env, c.req.url)
    const headers = pageHeaders(c.env.PORTAL_ORIGIN)
    const policy = `${headers['Content-Security-Policy'] ?? ''}; frame-src 'self'`
    return c.html(mailPage(await keptOne(c.env, c.req.param('id'))), 200, {
      ...headers,
      'Content-Security-Policy': policy,
    })
  })
  app.get('/mail/:id/html', async (c) => {
    mustBeHere(c.env, c.req.url)
    const { html } = await keptOne(c.env, c.req.param('id'))
    // Opens links outside the frame.
    const framedHtml = html.replace('<head>', '<head><base target="_top">')
    return c.html(framedHtml, 200, {
      ...{ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' },
      'Content-Security-Policy': MAIL_POLICY,
    })
  })
}

/** GET asks for confirmation; mail programs unsubscribe with a one-click POST (RFC 8058). */
function stopRoutes(app: Hono<AppEnv>): void {
  app.on(['GET', 'POST'], STOP_PATH, async (c) => {
    const query = new URL(c.req.url).searchParams
    const stop = readStop(c.env, query)
    if (stop === null) throw notFound()
    const { PORTAL_ORIGIN } = c.env
    const resumes = query.get('resume') === '1'
    if (c.req.method === 'POST') await (resumes ? resumeLetters : unsubscribe)(c.env.DB, stop)
    const state = c.req.method === 'GET' ? 'asked' : resumes ? 'resumed' : 'stopped'
    query.set('resume', state === 'stopped' ? '1' : '0')
    return c.html(stopPage(state, `${STOP_PATH}?${query.toString()}`, PORTAL_ORIGIN), 200, pageHeaders(PORTAL_ORIGIN))
  })
}
