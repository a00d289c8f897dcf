import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { text } from '../wire/envelope.ts'

export const COLLECTOR_VERSION = '2.0.0'

/** Client id if `COLLECTOR_CLIENT_ID` is not set. */
export const COLLECTOR_CLIENT = 'porchlight'

export const FIRST_PARTY_VALUE_FORMAT = /^[\w-]{16,128}$/

/** Format of ids and versions in collector calls: client, session, version and instance. */
export const COLLECTOR_ID_FORMAT = /^[\w.-]{1,64}$/

const collectorId = v.pipe(v.string(), v.regex(COLLECTOR_ID_FORMAT))
/** Client id, session id, version, and the random id of this collector instance (OPEN-94). */
const clientIdentity = v.object({ m: collectorId, s: collectorId, sv: collectorId, kddcgid: collectorId })
const flag = v.boolean()
const collectorFlags = v.object({ app: flag, battery: flag, browser: flag, exp: flag, page: flag, ui: flag })
const okResponse = v.object({ code: v.literal(200) })
const emptyRequest = v.object({})

/**
 * Options of the device collector's calls. The browser sends these calls directly to the collector's host (CALL-66),
 * never through the edge.
 */
const collectorOptions = { via: 'collector' } as const
export const collectorConfig = call(
  'CALL-59',
  'GET',
  '/cs/config',
  'web-backend',
  {
    request: clientIdentity,
    response: v.object({ ttlms: v.number(), collection: v.object({ collect: flag, feature_flags: collectorFlags }) }),
  },
  collectorOptions,
)
export const generateCookie = call(
  'CALL-60',
  'GET',
  '/cs/generatecookie',
  'web-backend',
  { request: clientIdentity, response: v.object({ value: v.pipe(v.string(), v.regex(FIRST_PARTY_VALUE_FORMAT)) }) },
  collectorOptions,
)
/**
 * Validates the first-party value `k`; the request is form-encoded. 200: this collector issued the value; 500: it did
 * not.
 */
export const storeCookie = call(
  'CALL-61',
  'POST',
  '/cs/storecookie',
  'web-backend',
  { request: v.object({ ...clientIdentity.entries, k: text(256) }), response: okResponse },
  collectorOptions,
)
/**
 * Reports the session in the path, with the query parameter `kddcgid`, the header `client-id` and no body. 201: the
 * session is new; 200: the session is already stored.
 */
export const reportNewSession = call(
  'CALL-62',
  'POST',
  '/session/{sessionId}',
  'web-backend',
  { request: emptyRequest, response: okResponse },
  collectorOptions,
)
/**
 * Reports a session that replaces another session: like `reportNewSession`, with the additional query parameter
 * `previousSessionID`.
 */
export const reportReplacedSession = call(
  'CALL-63',
  'POST',
  '/session/{sessionId}',
  'web-backend',
  { request: emptyRequest, response: okResponse },
  collectorOptions,
)
/**
 * Page of the collector's frame. Its script collects the groups of device facts that the URL fragment names
 * (`#browser,ui`), and sends the facts to `FACTS_PATH`. The script then posts a message `{ data, params }` to the
 * parent page (`FRAME_END_MESSAGE`).
 */
export const logoFrame = call(
  'CALL-64',
  'GET',
  '/logo.htm',
  'web-backend',
  { request: clientIdentity, response: v.string() },
  collectorOptions,
)
/** Reports that the browser leaves a page. The page sends this call as a form-encoded beacon. */
export const finishCollection = call(
  'CALL-65',
  'POST',
  '/fin',
  'web-backend',
  {
    request: v.object({
      n: v.literal('collect-end'),
      com: v.literal('false'),
      et: v.literal('0'),
      s: collectorId,
      m: collectorId,
    }),
    response: okResponse,
  },
  collectorOptions,
)

/** Value of `data` in the frame's final message. `params.s` is the session. */
export const FRAME_END_MESSAGE = 'collect-end'

/** Path to which the frame sends its facts. The frame has the collector's own origin. */
export const FACTS_PATH = '/cs/facts'

const deviceFact = v.optional(v.union([text(64), v.number(), v.boolean()]))
/** Device facts from the frame. Facts that the browser hides are missing. */
export const deviceFacts = v.object({
  language: deviceFact,
  zone: deviceFact,
  cores: deviceFact,
  /** Screen in CSS px, and device pixels per CSS pixel. */
  width: deviceFact,
  height: deviceFact,
  density: deviceFact,
  touch: deviceFact,
  dark: deviceFact,
})

/**
 * Session of the device collector, for the operator. Times in ms UTC. `previous`: id of the replaced session, or ''.
 * `facts`: null until received. `seen_at`: last request. `left_at`: last time that the browser left a page of the
 * session; null: never.
 */
export const collectorSession = v.object({
  session: v.string(),
  previous: v.string(),
  begun_at: v.number(),
  seen_at: v.number(),
  left_at: v.nullable(v.number()),
  facts: v.nullable(deviceFacts),
})
export type CollectorSession = v.InferOutput<typeof collectorSession>

/**
 * `GET /admin/v1/collector`, optionally with the query `session`: at most 1000 sessions, most recently seen first.
 * `total`: number of all matching sessions.
 */
export const collectorList = v.object({
  code: v.literal(200),
  data: v.object({ sessions: v.array(collectorSession), total: v.number() }),
})
export type CollectorList = v.InferOutput<typeof collectorList>
