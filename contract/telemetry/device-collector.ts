import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { text } from '../wire/envelope.ts'

/** What the collector of device facts says of itself. */
export const COLLECTOR_VERSION = '2.0.0'

/** Who asks, where no setting says another name. */
export const COLLECTOR_CLIENT = 'porchlight'

/** A first-party value, as the collector makes it. */
export const FIRST_PARTY_VALUE = /^[\w-]{16,128}$/

/** An id in what the collector asks: of a client, a session, a version, an instance. */
export const COLLECTOR_WORD = /^[\w.-]{1,64}$/

const word = v.pipe(v.string(), v.regex(COLLECTOR_WORD))
/** In every question: client id, session id, version, and the random id of this collector instance (OPEN-94). */
const clientIdentity = v.object({ m: word, s: word, sv: word, kddcgid: word })
const flag = v.boolean()
const flags = v.object({ app: flag, battery: flag, browser: flag, exp: flag, page: flag, ui: flag })
const ok = v.object({ code: v.literal(200) })
const nothing = v.object({})

/** Calls of the device-fraud collector: they go from the browser to the collector's host (CALL-66), never through the gateway. */
const via = { via: 'collector' } as const
export const collectorConfig = call(
  'CALL-59',
  'GET',
  '/cs/config',
  'web-backend',
  {
    request: clientIdentity,
    response: v.object({ ttlms: v.number(), collection: v.object({ collect: flag, feature_flags: flags }) }),
  },
  via,
)
export const generateCookie = call(
  'CALL-60',
  'GET',
  '/cs/generatecookie',
  'web-backend',
  { request: clientIdentity, response: v.object({ value: v.pipe(v.string(), v.regex(FIRST_PARTY_VALUE)) }) },
  via,
)
/** Form-encoded; 200: the value `k` is one of ours, 500: it is not. */
export const storeCookie = call(
  'CALL-61',
  'POST',
  '/cs/storecookie',
  'web-backend',
  { request: v.object({ ...clientIdentity.entries, k: text(256) }), response: ok },
  via,
)
/** Query `kddcgid`, header `client-id`, no body; 201 for a session that was not known, else 200. */
export const newSession = call(
  'CALL-62',
  'POST',
  '/session/{sessionId}',
  'web-backend',
  { request: nothing, response: ok },
  via,
)
/** The same with the query `previousSessionID`. */
export const changedSession = call(
  'CALL-63',
  'POST',
  '/session/{sessionId}',
  'web-backend',
  { request: nothing, response: ok },
  via,
)
/**
 * A page, which looks at the groups that its fragment names, such as `#browser,ui`: what it tells of the device goes to
 * `/cs/facts`, then it says so by a message `{ data, params }` (`FRAME_END`).
 */
export const logoFrame = call(
  'CALL-64',
  'GET',
  '/logo.htm',
  'web-backend',
  { request: clientIdentity, response: v.string() },
  via,
)
/** Form-encoded, by a beacon. */
export const finish = call(
  'CALL-65',
  'POST',
  '/fin',
  'web-backend',
  {
    request: v.object({
      n: v.literal('collect-end'),
      com: v.literal('false'),
      et: v.literal('0'),
      s: word,
      m: word,
    }),
    response: ok,
  },
  via,
)

/** `data` of the frame's message when it is done; `params` has the session as `s`. */
export const FRAME_END = 'collect-end'

/** Where the frame, whose origin is the collector's own, sends what it found. */
export const FACTS_PATH = '/cs/facts'

const fact = v.optional(v.union([text(64), v.number(), v.boolean()]))
/** What the frame tells of the device. What a browser does not say is missing. */
export const deviceFacts = v.object({
  language: fact,
  zone: fact,
  cores: fact,
  /** The screen in CSS px, and device pixels for each. */
  width: fact,
  height: fact,
  density: fact,
  touch: fact,
  dark: fact,
})

/**
 * One session as the operator is shown it: times in ms UTC, `previous` '' for none, `facts` null before they came. `seen_at`:
 * when a browser last told anything of it. `left_at`: when one of its pages was last left, null before that; another may be open.
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

/** `GET /admin/v1/collector`, with the query `session` of one alone: the newest, and how many there are. */
export const collectorList = v.object({
  code: v.literal(200),
  data: v.object({ sessions: v.array(collectorSession), total: v.number() }),
})
export type CollectorList = v.InferOutput<typeof collectorList>
