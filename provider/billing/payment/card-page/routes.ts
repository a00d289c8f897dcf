import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import nunito from '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2'
import { BODY_BYTES_MAX, readText } from '../../../../contract/wire/body-limits.ts'
import { CARD_PAGE_COOKIE, toCookieName, usesSecureCookies } from '../../../../contract/wire/cookies.ts'
import { BRAND_NAME, createLogoFile } from '../../../../contract/brand.ts'
import {
  CARD_RETURN_PATH,
  CARD_RETURN_CODES,
  RETURN_PROOF_PARAMETER,
} from '../../../../contract/billing/payment-calls.ts'
import { TEST_WALLETS } from '../../../../contract/billing/test-cards.ts'
import { forbidden } from '../../../platform/api-error.ts'
import { verifyTicket, createTicket } from '../../../platform/tickets/tickets.ts'
import type { AppEnv } from '../../../env.ts'
import { CARD_PAGE_LIFETIME_MS, type CardStep, type CardView } from '../embedded/card-sessions.ts'
import type { NewMethod } from '../embedded/payment-method-rows.ts'
import {
  EMPTY_CARD_VALUES,
  findCardProblems,
  parseStoredAddress,
  readCardValues,
  toStoredCard,
  type CardProblems,
} from './card-form-values.ts'
import type { CardValues } from './card-validation.ts'
import { renderCardForm, renderTestCards } from './card-form.ts'
import { renderCardPage, renderConfirmationForm, renderExpiredPage } from './page-layout.ts'
import { CARD_PAGE_SCRIPT, CARD_PAGE_SCRIPT_PATH } from './browser-script.ts'
import { CARD_PAGE_STYLE } from './page-styles.ts'
import { getObject } from '../../../platform/objects.ts'

type CardPageContext = Context<AppEnv>

const EXPIRED_MESSAGE = 'This page has expired. Each link works once and expires after 10 minutes.'
const styleHash = createHash('sha256').update(CARD_PAGE_STYLE).digest('base64')

/**
 * Returns the headers of every page. `form-action` includes the portal, because browsers also check redirects after a
 * form post.
 */
const buildPageHeaders = ({ PAYMENT_ORIGIN, PORTAL_ORIGIN }: AppEnv['Bindings']) => ({
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  // Keeps the referrer within the origin, so that form posts include an `Origin` header.
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${PAYMENT_ORIGIN}${CARD_PAGE_SCRIPT_PATH}`,
    `style-src 'sha256-${styleHash}'`,
    "font-src 'self'",
    "img-src 'self'",
    `form-action 'self' ${PORTAL_ORIGIN}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
})
const buildAssetHeaders = (type: string) => ({ 'Content-Type': type, 'Cache-Control': 'public, max-age=2592000' })

const getCookieName = ({ PAYMENT_ORIGIN }: AppEnv['Bindings']) => toCookieName(CARD_PAGE_COOKIE, PAYMENT_ORIGIN)
const buildCookieOptions = (c: CardPageContext) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: usesSecureCookies(c.env.PAYMENT_ORIGIN) }) as const

interface OpenedSession {
  readonly account: string
  readonly session: string
  readonly view: CardView
}

async function findOpenedSession(c: CardPageContext, now: number): Promise<OpenedSession | null> {
  const ticket = await verifyTicket(c.env.TICKET_KEY, 'card_page', getCookie(c, getCookieName(c.env)) ?? '', now)
  if (ticket === null) return null
  const view = await getObject(c.env, 'GATEWAYS', ticket.user).viewCard(ticket.jti, now)
  return view === null ? null : { account: ticket.user, session: ticket.jti, view }
}

const getPaymentHost = (c: CardPageContext) => new URL(c.env.PAYMENT_ORIGIN).host

function respondExpired(c: CardPageContext, sentence = EXPIRED_MESSAGE): Response | Promise<Response> {
  deleteCookie(c, getCookieName(c.env), buildCookieOptions(c))
  return c.html(renderExpiredPage(getPaymentHost(c), c.env.PORTAL_ORIGIN, sentence), 410, buildPageHeaders(c.env))
}

/** Redirects to the portal with a result code. The proof is in the fragment, which browsers never send to servers. */
function redirectToPortal(c: CardPageContext, code: string, proof: string | null = null): Response {
  deleteCookie(c, getCookieName(c.env), buildCookieOptions(c))
  const query = new URLSearchParams({ payment: code }).toString()
  const fragment = proof === null ? '' : `#${RETURN_PROOF_PARAMETER}=${proof}`
  return c.redirect(`${c.env.PORTAL_ORIGIN}${CARD_RETURN_PATH}?${query}${fragment}`, 303)
}

/**
 * Consumes the ticket and redirects to the page's URL without the ticket. From then on, a cookie identifies the card
 * session.
 */
async function enterCardSession(c: CardPageContext, ticketText: string, now: number): Promise<Response> {
  const ticket = await verifyTicket(c.env.TICKET_KEY, 'card', ticketText, now)
  const isGood = ticket !== null && (await getObject(c.env, 'GATEWAYS', ticket.user).enterCard(ticket.jti, now))
  if (ticket === null || !isGood) return respondExpired(c)
  const pageTicket = { ...ticket, exp: ticket.iat + CARD_PAGE_LIFETIME_MS }
  setCookie(c, getCookieName(c.env), await createTicket(c.env.TICKET_KEY, 'card_page', pageTicket), {
    ...buildCookieOptions(c),
    maxAge: CARD_PAGE_LIFETIME_MS / 1000,
  })
  return c.redirect('/card', 303)
}

/** Renders the page of an open session. `rejected`: values of a form with errors; null for a new form. */
function renderSession(
  c: CardPageContext,
  { view }: OpenedSession,
  rejected: { readonly values: CardValues; readonly problems: CardProblems } | null = null,
): Response | Promise<Response> {
  const address = parseStoredAddress(view.address ?? [])
  const formState = rejected ?? { values: { ...EMPTY_CARD_VALUES, ...address }, problems: {} }
  return c.html(
    view.state === 'asked'
      ? renderCardPage(getPaymentHost(c), view, renderConfirmationForm(), '')
      : renderCardPage(
          getPaymentHost(c),
          view,
          renderCardForm(formState, address !== null, view.amount),
          renderTestCards(),
        ),
    rejected === null ? 200 : 400,
    buildPageHeaders(c.env),
  )
}

function respondToStep(c: CardPageContext, step: CardStep | null): Response | Promise<Response> {
  if (step === null) return respondExpired(c)
  const { state, proof } = step
  if (state === 'saved' || state === 'kept') return redirectToPortal(c, CARD_RETURN_CODES.saved, proof)
  if (state === 'refused') return redirectToPortal(c, '4220')
  if (state === 'left') return redirectToPortal(c, CARD_RETURN_CODES.closed)
  return c.redirect('/card', 303)
}

async function handleSubmit(
  c: CardPageContext,
  form: URLSearchParams,
  opened: OpenedSession,
  now: number,
): Promise<Response> {
  const gateway = getObject(c.env, 'GATEWAYS', opened.account)
  const save = async (method: NewMethod) => respondToStep(c, await gateway.saveCard(opened.session, method, now))
  switch (form.get('do')) {
    case 'leave':
      return respondToStep(c, await gateway.leaveCard(opened.session, now))
    case 'confirm':
    case 'refuse':
      return respondToStep(c, await gateway.confirmCard(opened.session, form.get('do') === 'confirm', now))
    case 'wallet': {
      const wallet = TEST_WALLETS.find(({ id }) => id === form.get('wallet'))
      if (wallet === undefined) return renderSession(c, opened)
      const { name } = wallet
      return save({ type: 'wallet', brand: 'wallet', last_four: '', name, ends: null, address: [] })
    }
    default: {
      const values = readCardValues(form)
      const problems = findCardProblems(values, now)
      return Object.keys(problems).length > 0
        ? renderSession(c, opened, { values, problems })
        : save(toStoredCard(values))
    }
  }
}

/** Mounts the card page. Its routes use no cookie except the cookie of the card session. */
export function cardRoutes(app: Hono<AppEnv>): void {
  app.get('/assets/nunito.woff2', (c) => c.body(nunito, 200, buildAssetHeaders('font/woff2')))
  app.get('/assets/logo.svg', (c) => c.body(createLogoFile(), 200, buildAssetHeaders('image/svg+xml')))
  app.get(CARD_PAGE_SCRIPT_PATH, (c) =>
    c.body(CARD_PAGE_SCRIPT, 200, { ...buildAssetHeaders('text/javascript'), 'Cache-Control': 'no-cache' }),
  )
  app.get('/card', async (c) => {
    const now = Date.now()
    const ticket = c.req.query('ticket')
    if (ticket !== undefined) return enterCardSession(c, ticket, now)
    const opened = await findOpenedSession(c, now)
    if (opened === null) return respondExpired(c)
    const { state } = opened.view
    if (state === 'open' || state === 'asked') return renderSession(c, opened)
    return respondExpired(c, `This link has already been used. Continue in ${BRAND_NAME}.`)
  })
  app.post('/card', async (c) => {
    if (c.req.header('origin') !== c.env.PAYMENT_ORIGIN) throw forbidden('This form was submitted from another page.')
    const now = Date.now()
    const form = new URLSearchParams(await readText(c.req.raw, BODY_BYTES_MAX.form))
    const opened = await findOpenedSession(c, now)
    return opened === null ? respondExpired(c) : handleSubmit(c, form, opened, now)
  })
}
