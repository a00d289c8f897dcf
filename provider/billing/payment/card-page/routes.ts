import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import nunito from '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2'
import { BODY_MAX, readText } from '../../../../contract/wire/body-limits.ts'
import { BRAND_NAME, logoFile } from '../../../../contract/brand.ts'
import { CARD_RETURN_PATH, CARD_RETURNS, RETURN_PROOF } from '../../../../contract/billing/payment-calls.ts'
import { TEST_WALLETS } from '../../../../contract/billing/test-cards.ts'
import { forbidden } from '../../../platform/api-error.ts'
import { openTicket, sealTicket } from '../../../platform/tickets/tickets.ts'
import type { AppEnv } from '../../../env.ts'
import { CARD_PAGE_MS, type CardStep, type CardView } from '../embedded/card-sessions.ts'
import type { NewMethod } from '../embedded/payment-method-rows.ts'
import { toStoredCard, NO_VALUES, findCardProblems, readCardValues } from './card-form-values.ts'
import { cardForm, testCards } from './card-form.ts'
import { cardPage, confirmation, overPage } from './page-layout.ts'
import { SCRIPT, SCRIPT_PATH } from './browser-script.ts'
import { CARD_PAGE_STYLE } from './page-styles.ts'

type C = Context<AppEnv>

const OVER = 'This page has expired. It opens once, within 10 minutes.'
const styleHash = createHash('sha256').update(CARD_PAGE_STYLE).digest('base64')

/** `form-action` includes the portal, because browsers check it along redirects. */
const pageHeaders = ({ PAYMENT_ORIGIN, PORTAL_ORIGIN }: AppEnv['Bindings']) => ({
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  // Keeps the referrer within the origin, so that form posts carry their Origin.
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${PAYMENT_ORIGIN}${SCRIPT_PATH}`,
    `style-src 'sha256-${styleHash}'`,
    "font-src 'self'",
    "img-src 'self'",
    `form-action 'self' ${PORTAL_ORIGIN}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
})
const assetHeaders = (type: string) => ({ 'Content-Type': type, 'Cache-Control': 'public, max-age=2592000' })

const cookieName = ({ PAYMENT_ORIGIN }: AppEnv['Bindings']) =>
  PAYMENT_ORIGIN.startsWith('https:') ? '__Host-card' : 'card'
const buildCookieOptions = (c: C) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: c.env.PAYMENT_ORIGIN.startsWith('https:') }) as const

interface Opened {
  readonly account: string
  readonly session: string
  readonly view: CardView
}

async function findOpenedSession(c: C, now: number): Promise<Opened | null> {
  const ticket = await openTicket(c.env.TICKET_KEY, 'card_page', getCookie(c, cookieName(c.env)) ?? '', now)
  if (ticket === null) return null
  const view = await c.env.GATEWAYS.getByName(ticket.user).viewCard(ticket.jti, now)
  return view === null ? null : { account: ticket.user, session: ticket.jti, view }
}

const getPaymentHost = (c: C) => new URL(c.env.PAYMENT_ORIGIN).host

function over(c: C, sentence = OVER): Response | Promise<Response> {
  deleteCookie(c, cookieName(c.env), buildCookieOptions(c))
  return c.html(overPage(getPaymentHost(c), c.env.PORTAL_ORIGIN, sentence), 410, pageHeaders(c.env))
}

/** Redirects to the portal with a code. The proof is in the fragment, which no server, log or referrer gets. */
function back(c: C, code: string, proof: string | null = null): Response {
  deleteCookie(c, cookieName(c.env), buildCookieOptions(c))
  const query = new URLSearchParams({ payment: code }).toString()
  const fragment = proof === null ? '' : `#${RETURN_PROOF}=${proof}`
  return c.redirect(`${c.env.PORTAL_ORIGIN}${CARD_RETURN_PATH}?${query}${fragment}`, 303)
}

/**
 * Consumes the ticket and redirects to the URL without it. From then on, the browser's cookie identifies the card
 * session.
 */
async function enter(c: C, sealed: string, now: number): Promise<Response> {
  const ticket = await openTicket(c.env.TICKET_KEY, 'card', sealed, now)
  const isGood = ticket !== null && (await c.env.GATEWAYS.getByName(ticket.user).enterCard(ticket.jti, now))
  if (ticket === null || !isGood) return over(c)
  const page = { ...ticket, exp: ticket.iat + CARD_PAGE_MS }
  setCookie(c, cookieName(c.env), await sealTicket(c.env.TICKET_KEY, 'card_page', page), {
    ...buildCookieOptions(c),
    maxAge: CARD_PAGE_MS / 1000,
  })
  return c.redirect('/card', 303)
}

const show = (c: C, { view }: Opened, formState = { values: NO_VALUES, problems: {} }, status: 200 | 400 = 200) =>
  c.html(
    view.state === 'asked'
      ? cardPage(getPaymentHost(c), view, confirmation(), '')
      : cardPage(getPaymentHost(c), view, cardForm(formState), testCards()),
    status,
    pageHeaders(c.env),
  )

function respondToStep(c: C, step: CardStep | null): Response | Promise<Response> {
  if (step === null) return over(c)
  const { state, proof } = step
  if (state === 'saved' || state === 'kept') return back(c, CARD_RETURNS.saved, proof)
  if (state === 'refused') return back(c, '4220')
  if (state === 'left') return back(c, CARD_RETURNS.closed)
  return c.redirect('/card', 303)
}

async function submit(c: C, form: URLSearchParams, opened: Opened, now: number): Promise<Response> {
  const gateway = c.env.GATEWAYS.getByName(opened.account)
  const save = async (method: NewMethod) => respondToStep(c, await gateway.saveCard(opened.session, method, now))
  switch (form.get('do')) {
    case 'leave':
      return respondToStep(c, await gateway.leaveCard(opened.session, now))
    case 'confirm':
    case 'refuse':
      return respondToStep(c, await gateway.confirmCard(opened.session, form.get('do') === 'confirm', now))
    case 'wallet': {
      const wallet = TEST_WALLETS.find(({ id }) => id === form.get('wallet'))
      if (wallet === undefined) return show(c, opened)
      const { name } = wallet
      return save({ type: 'wallet', brand: 'wallet', last_four: '', name, ends: null, address: [] })
    }
    default: {
      const values = readCardValues(form)
      const problems = findCardProblems(values, now)
      return Object.keys(problems).length > 0 ? show(c, opened, { values, problems }, 400) : save(toStoredCard(values))
    }
  }
}

/** Mounts the page on which a card is typed. It uses only its own cookie. */
export function cardRoutes(app: Hono<AppEnv>): void {
  app.get('/assets/nunito.woff2', (c) => c.body(nunito, 200, assetHeaders('font/woff2')))
  app.get('/assets/logo.svg', (c) => c.body(logoFile(), 200, assetHeaders('image/svg+xml')))
  app.get(SCRIPT_PATH, (c) => c.body(SCRIPT, 200, { ...assetHeaders('text/javascript'), 'Cache-Control': 'no-cache' }))
  app.get('/card', async (c) => {
    const now = Date.now()
    const ticket = c.req.query('ticket')
    if (ticket !== undefined) return enter(c, ticket, now)
    const opened = await findOpenedSession(c, now)
    if (opened === null) return over(c)
    const { state } = opened.view
    if (state === 'open' || state === 'asked') return show(c, opened)
    return over(c, `This page has done its work already. Go on in ${BRAND_NAME}.`)
  })
  app.post('/card', async (c) => {
    if (c.req.header('origin') !== c.env.PAYMENT_ORIGIN) throw forbidden('This form was sent by another page.')
    const now = Date.now()
    const form = new URLSearchParams(await readText(c.req.raw, BODY_MAX.form))
    const opened = await findOpenedSession(c, now)
    return opened === null ? over(c) : submit(c, form, opened, now)
  })
}
