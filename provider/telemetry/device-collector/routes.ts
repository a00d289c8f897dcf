import type { Context, Hono, MiddlewareHandler } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { BODY_MAX, readText } from '../../../contract/wire/body-limits.ts'
import {
  changedSession,
  collectorConfig,
  COLLECTOR_CLIENT,
  COLLECTOR_WORD,
  deviceFacts,
  FACTS_PATH,
  finish,
  generateCookie,
  logoFrame,
  storeCookie,
} from '../../../contract/telemetry/device-collector.ts'
import { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { visitorAddress } from '../../../contract/wire/client-address.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import { clientNetwork } from '../../platform/rate-limits/client-network.ts'
import { forbidden, badRequest } from '../../platform/api-error.ts'
import { enforceRateLimit } from '../../platform/rate-limits/enforce-rate-limit.ts'
import type { AppEnv } from '../../env.ts'
import { isFirstParty, newFirstParty } from './first-party-value.ts'
import { frameHeaders, framePage } from './frame-page.ts'
import { startSession, storeFacts, leavePage, listSessions } from './session-rows.ts'

type C = Context<AppEnv>

/** Time in ms for which a browser may cache the configuration. */
const TTL_MS = 900_000
const FLAGS = { app: true, battery: true, browser: true, exp: true, page: true, ui: true }
/** Rate limit per client network. One run of the collector sends five requests. */
const questions = new KeyedRateLimiter({ burst: 300, perSecond: 5 })

const paced: MiddlewareHandler<AppEnv> = async (c, next) => {
  enforceRateLimit(questions, clientNetwork(visitorAddress(c.req.raw.headers, c.env)), Date.now())
  await next()
}

/**
 * Allows pages of the portal and the collector's own frame. Requests without an `Origin` header pass: browsers always
 * send it if a page can send data or read the response.
 */
const ours: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== c.env.PORTAL_ORIGIN && !isOwn(c, origin))
    throw forbidden('The device collector answers pages of the portal only.')
  await next()
}

/**
 * Returns true if the origin is this Worker's own. Compares only hosts, because a proxy may reach this Worker by http.
 */
function isOwn(c: C, origin: string): boolean {
  const own = [c.env.PROVIDER_ORIGIN, c.req.url].map((address) => new URL(address).host)
  return URL.canParse(origin) && own.includes(new URL(origin).host)
}

/** Sets response headers that let only the portal's pages read responses, and without cookies. */
const readable: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.header('access-control-allow-origin', c.env.PORTAL_ORIGIN)
  c.header('cross-origin-resource-policy', 'cross-origin')
  c.header('vary', 'origin')
}

export function collectorRoutes(app: Hono<AppEnv>): void {
  for (const path of ['/cs/*', '/session/*', finish.path]) app.use(path, readable, ours, paced)
  app.use(logoFrame.path, paced)

  app.get(collectorConfig.path, (c) => {
    validateRequest(c, collectorConfig.request, c.req.query())
    return c.json({ ttlms: TTL_MS, collection: { collect: true, feature_flags: FLAGS } })
  })
  app.get(generateCookie.path, async (c) => {
    validateRequest(c, generateCookie.request, c.req.query())
    return c.json({ value: await newFirstParty(c.env.TICKET_KEY) })
  })
  app.post(storeCookie.path, async (c) => {
    const { k } = validateRequest(c, storeCookie.request, await readForm(c))
    const isOurs = await isFirstParty(c.env.TICKET_KEY, k)
    // The protocol defines two responses: 200 for a valid value and 500 for an invalid one (FRAUD-30).
    return isOurs ? c.json({ code: 200 }) : c.json({ code: 500, msg: 'This value was not made here.' }, 500)
  })
  app.options(changedSession.path.replace('{sessionId}', ':session'), (c) => {
    c.header('access-control-allow-methods', 'POST')
    c.header('access-control-allow-headers', 'client-id')
    c.header('access-control-max-age', '86400')
    return c.body(null, 204)
  })
  app.post(changedSession.path.replace('{sessionId}', ':session'), newOrChanged)
  app.get(logoFrame.path, (c) => {
    const params = validateRequest(c, logoFrame.request, c.req.query())
    return c.html(framePage(c.env.PORTAL_ORIGIN, params), 200, frameHeaders(c.env.PORTAL_ORIGIN))
  })
  app.post(FACTS_PATH, receiveFacts)
  app.post(finish.path, async (c) => {
    const { s } = validateRequest(c, finish.request, await readForm(c))
    await leavePage(c.env.DB, s, Date.now())
    return c.json({ code: 200 })
  })
  app.get(ADMIN_PATHS.collector, requireOperator, async (c) =>
    c.json({ code: 200, data: await listSessions(c.env.DB, c.req.query('session'), Date.now()) }),
  )
}

/** Creates a session, or with `previousSessionID` links it to an earlier one. Responds 201 if it is new, else 200. */
async function newOrChanged(c: C): Promise<Response> {
  const { session = '' } = c.req.param()
  const previous = c.req.query('previousSessionID') ?? ''
  if (
    !COLLECTOR_WORD.test(session) ||
    (previous !== '' && !COLLECTOR_WORD.test(previous)) ||
    c.req.header('client-id') !== getClientId(c)
  )
    throw badRequest('This is no session of the device collector.')
  const isNew = await startSession(c.env.DB, session, previous, Date.now())
  return c.json({ code: 200 }, isNew ? 201 : 200)
}

async function receiveFacts(c: C): Promise<Response> {
  const { m, s = '' } = c.req.query()
  if (m !== getClientId(c) || !COLLECTOR_WORD.test(s)) throw badRequest('This client or its session is not known here.')
  const facts = v.safeParse(deviceFacts, parseJson(await readText(c.req.raw, BODY_MAX.form)))
  if (!facts.success) throw badRequest('These are no facts of a device.')
  await storeFacts(c.env.DB, s, facts.output, Date.now())
  return c.json({ code: 200 })
}

const getClientId = (c: C) => c.env.COLLECTOR_CLIENT_ID || COLLECTOR_CLIENT

/** Validates a request. Throws 400 if it is malformed or its client is unknown. */
function validateRequest<T extends { m: string }>(c: C, schema: v.GenericSchema<unknown, T>, question: unknown): T {
  const parsed = v.safeParse(schema, question)
  if (!parsed.success || parsed.output.m !== getClientId(c))
    throw badRequest('This is no question of the device collector.')
  return parsed.output
}

const readForm = async (c: C) => Object.fromEntries(new URLSearchParams(await readText(c.req.raw, BODY_MAX.form)))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
