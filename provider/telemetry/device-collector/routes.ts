import type { Context, Hono, MiddlewareHandler } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { BODY_BYTES_MAX, readText } from '../../../contract/wire/body-limits.ts'
import {
  reportReplacedSession,
  collectorConfig,
  COLLECTOR_CLIENT,
  COLLECTOR_ID_FORMAT,
  deviceFacts,
  FACTS_PATH,
  finishCollection,
  generateCookie,
  logoFrame,
  storeCookie,
} from '../../../contract/telemetry/device-collector.ts'
import { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import { getClientAddress } from '../../../contract/wire/client-address.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import { clientNetwork } from '../../platform/rate-limits/client-network.ts'
import { forbidden, badRequest } from '../../platform/api-error.ts'
import { enforceRateLimit } from '../../platform/rate-limits/enforce-rate-limit.ts'
import type { AppEnv } from '../../env.ts'
import { frameHeaders, framePage } from './frame-page.ts'
import { startSession, storeFacts, recordPageLeave, listSessions } from './session-rows.ts'
import { isEqualConstantTime } from '../../platform/crypto/constant-time-equal.ts'
import { signHmacHex, importTextKey } from '../../platform/crypto/hmac.ts'

/** Length of the signature in hex digits (128 bits). */
const SIGNATURE_LENGTH = 32

const signValue = async (secret: string, random: string) =>
  `${random}-${(await signHmacHex(await importTextKey(secret), `first-party value ${random}`)).slice(0, SIGNATURE_LENGTH)}`

/**
 * Creates a first-party value, which identifies a browser: random characters and their signature. The provider can
 * verify the signature, so it does not store the value.
 */
const createFirstPartyValue = (secret: string): Promise<string> =>
  signValue(secret, crypto.randomUUID().replaceAll('-', ''))

async function isFirstPartyValue(secret: string, value: string): Promise<boolean> {
  const [random = ''] = value.split('-')
  return isEqualConstantTime(value, await signValue(secret, random))
}

type CollectorContext = Context<AppEnv>

const CONFIG_TTL_MS = 900_000
const FEATURE_FLAGS = { app: true, battery: true, browser: true, exp: true, page: true, ui: true }
/** Rate limit per client network. One run of the collector sends about five requests. */
const collectorLimiter = new KeyedRateLimiter({ burst: 300, perSecond: 5 })

const enforceCollectorRateLimit: MiddlewareHandler<AppEnv> = async (c, next) => {
  enforceRateLimit(collectorLimiter, clientNetwork(getClientAddress(c.req.raw.headers, c.env)), Date.now())
  await next()
}

/**
 * Allows only pages of the portal and the collector's own frame. Requests without an `Origin` header pass: browsers
 * always send it if a page sends data or can read the response.
 */
const requirePortalOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== c.env.PORTAL_ORIGIN && !isOwnOrigin(c, origin))
    throw forbidden('Only portal pages can use the device collector.')
  await next()
}

/**
 * Returns true if the origin is that of this Worker. Compares only hosts, because a proxy may connect to this Worker
 * over HTTP.
 */
function isOwnOrigin(c: CollectorContext, origin: string): boolean {
  const ownHosts = [c.env.PROVIDER_ORIGIN, c.req.url].map((address) => new URL(address).host)
  return URL.canParse(origin) && ownHosts.includes(new URL(origin).host)
}

/** Sets CORS headers. Only pages of the portal can read the responses, and only if the request has no cookies. */
const setPortalHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.header('access-control-allow-origin', c.env.PORTAL_ORIGIN)
  c.header('cross-origin-resource-policy', 'cross-origin')
  c.header('vary', 'origin')
}

export function collectorRoutes(app: Hono<AppEnv>): void {
  for (const path of ['/cs/*', '/session/*', finishCollection.path])
    app.use(path, setPortalHeaders, requirePortalOrigin, enforceCollectorRateLimit)
  app.use(logoFrame.path, enforceCollectorRateLimit)

  app.get(collectorConfig.path, (c) => {
    validateRequest(c, collectorConfig.request, c.req.query())
    return c.json({ ttlms: CONFIG_TTL_MS, collection: { collect: true, feature_flags: FEATURE_FLAGS } })
  })
  app.get(generateCookie.path, async (c) => {
    validateRequest(c, generateCookie.request, c.req.query())
    return c.json({ value: await createFirstPartyValue(c.env.TICKET_KEY) })
  })
  app.post(storeCookie.path, async (c) => {
    const { k } = validateRequest(c, storeCookie.request, await readForm(c))
    const isValid = await isFirstPartyValue(c.env.TICKET_KEY, k)
    // The protocol defines two responses: 200 for a valid value and 500 for an invalid one (FRAUD-30).
    return isValid ? c.json({ code: 200 }) : c.json({ code: 500, msg: 'This value wasn’t issued by this server.' }, 500)
  })
  app.options(reportReplacedSession.path.replace('{sessionId}', ':session'), (c) => {
    c.header('access-control-allow-methods', 'POST')
    c.header('access-control-allow-headers', 'client-id')
    c.header('access-control-max-age', '86400')
    return c.body(null, 204)
  })
  app.post(reportReplacedSession.path.replace('{sessionId}', ':session'), startOrLinkSession)
  app.get(logoFrame.path, (c) => {
    const params = validateRequest(c, logoFrame.request, c.req.query())
    return c.html(framePage(c.env.PORTAL_ORIGIN, params), 200, frameHeaders(c.env.PORTAL_ORIGIN))
  })
  app.post(FACTS_PATH, receiveFacts)
  app.post(finishCollection.path, async (c) => {
    const { s } = validateRequest(c, finishCollection.request, await readForm(c))
    await recordPageLeave(c.env.DB, s, Date.now())
    return c.json({ code: 200 })
  })
  app.get(ADMIN_PATHS.collector, requireOperator, async (c) =>
    c.json({ code: 200, data: await listSessions(c.env.DB, c.req.query('session'), Date.now()) }),
  )
}

async function startOrLinkSession(c: CollectorContext): Promise<Response> {
  const { session = '' } = c.req.param()
  const previous = c.req.query('previousSessionID') ?? ''
  if (
    !COLLECTOR_ID_FORMAT.test(session) ||
    (previous !== '' && !COLLECTOR_ID_FORMAT.test(previous)) ||
    c.req.header('client-id') !== getClientId(c)
  )
    throw badRequest('This isn’t a device collector session.')
  const isNew = await startSession(c.env.DB, session, previous, Date.now())
  return c.json({ code: 200 }, isNew ? 201 : 200)
}

async function receiveFacts(c: CollectorContext): Promise<Response> {
  const { m, s = '' } = c.req.query()
  if (m !== getClientId(c) || !COLLECTOR_ID_FORMAT.test(s)) throw badRequest('Unknown client or session.')
  const facts = v.safeParse(deviceFacts, parseJson(await readText(c.req.raw, BODY_BYTES_MAX.form)))
  if (!facts.success) throw badRequest('The device data is malformed.')
  await storeFacts(c.env.DB, s, facts.output, Date.now())
  return c.json({ code: 200 })
}

const getClientId = (c: CollectorContext) => c.env.COLLECTOR_CLIENT_ID || COLLECTOR_CLIENT

/** Throws 400 if the request is malformed or its client is unknown. */
function validateRequest<T extends { m: string }>(
  c: CollectorContext,
  schema: v.GenericSchema<unknown, T>,
  input: unknown,
): T {
  const parsed = v.safeParse(schema, input)
  if (!parsed.success || parsed.output.m !== getClientId(c)) throw badRequest('This isn’t a device collector request.')
  return parsed.output
}

const readForm = async (c: CollectorContext) =>
  Object.fromEntries(new URLSearchParams(await readText(c.req.raw, BODY_BYTES_MAX.form)))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
