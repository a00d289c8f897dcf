import * as v from 'valibot'
import { call, declareUnusedCall } from '../wire/call.ts'
import { id, nothing, text } from '../wire/envelope.ts'

/** User calls of the provider services host, spoken by the edge, never by the browser (OPEN-09, OPEN-10, OPEN-12). */
/**
 * Credentials as JSON, `source` in the query (OPEN-12). Success signs the browser in at the provider by its own cookie, so
 * that the next authorization asks for nothing; it hands out no token. The portal itself never handles a password.
 */
export const userLogin = call(
  'CALL-01',
  'POST',
  '/api/v2/user/login',
  'web-backend',
  {
    request: v.object({ email: text(254), password: text(200) }),
    response: v.object({ code: v.literal(200), status: v.literal('signed_in') }),
  },
  { via: 'edge' },
)
/** Ends the access token and the provider's own single-sign-on session behind it. */
export const userLogout = call(
  'CALL-02',
  'POST',
  '/api/v2/user/logout',
  'web-backend',
  { request: nothing, response: v.object({ code: v.literal(200) }) },
  { via: 'edge' },
)
/** What the account is right after a sign-in, which it also notes (OPEN-126). */
export const userStatus = call(
  'CALL-03',
  'POST',
  '/api/v2/user/status',
  'web-backend',
  {
    request: v.object({ source: v.literal('login') }),
    response: v.object({ code: v.literal(200), status: v.literal('active') }),
  },
  { via: 'edge' },
)
/**
 * A fresh access token for one that is still good, within the same sign-in (OPEN-10, OPEN-11). The token is asked for, no
 * cookie counts; answered to the provider's own pages and to servers only.
 */
export const santaRefresh = call(
  'CALL-16',
  'GET',
  '/api/v2/santa/refresh',
  'web-backend',
  {
    request: v.object({ tag: v.literal('webview') }),
    response: v.object({ code: v.literal(200), access_token: v.string() }),
  },
  { via: 'edge' },
)
export const userMe = call(
  'CALL-17',
  'GET',
  '/api/v2/user/me',
  'web-backend',
  { request: nothing, response: v.object({ code: v.literal(200), user_account: v.string(), user_id: id }) },
  { via: 'edge' },
)
/** The named refresh is the standard grant at the discovered token endpoint (OPEN-10). */
export const tokenRefresh = declareUnusedCall('CALL-18', 'POST', '/oauth/token', 'web-backend', { via: 'oauth' })
export const oauthToken = declareUnusedCall('CALL-19', 'POST', '/oauth/token', 'web-backend', { via: 'oauth' })
export const oauthAuthorize = declareUnusedCall('CALL-20', 'GET', '/oauth/authorize', 'web-backend', { via: 'oauth' })
export const oauthUserInfo = declareUnusedCall('CALL-21', 'GET', '/oauth/userinfo', 'web-backend', { via: 'oauth' })

/** When sessions end unless an operator chooses otherwise: not used for so long, and so long after the sign-in, s (OPEN-18). */
export const SESSION_IDLE_S = 14 * 86_400
export const SESSION_LIFE_S = 30 * 86_400

/** The edge's own answers to the portal. */
export const meAnswer = v.object({
  code: v.literal(200),
  user_account: v.string(),
  user_id: id,
  /** Handle of the session's token generation, kept as `web_app_token` (OPEN-19). Opens nothing by itself. */
  web_app_token: v.string(),
  /** When the session ends however much it is used, unix seconds (OPEN-18); left out by an edge of an earlier version. */
  ends: v.optional(v.number()),
})
export const authorizeAnswer = v.object({ code: v.literal(200), url: v.string(), code_challenge: v.string() })
export const refreshAnswer = v.object({ code: v.literal(200), access_token: v.string() })
export const logoutAnswer = v.object({ code: v.literal(200), url: v.optional(v.string()) })

/** One browser that an account is signed in with. Times in unix seconds. */
export const signedInSession = v.object({
  /** Names the session in `endSessionsRequest`; opens nothing, and is not the cookie. */
  id: v.pipe(v.string(), v.maxLength(64)),
  /** What the browser said of itself, in short, such as `Chrome on Windows`. */
  device: v.string(),
  started: v.number(),
  last_used: v.number(),
  /** It ends then if nobody uses it any more. */
  ends: v.number(),
  /** Whether it is the session that asks. */
  current: v.boolean(),
})
/** `GET /api/auth/sessions`: the account's living sessions, the newest first. 401 without a session. */
export const sessionsAnswer = v.object({
  code: v.literal(200),
  sessions: v.array(signedInSession),
  /** A session ends that long after its last use, and that long after its sign-in, s; left out by an edge of an earlier version. */
  idle: v.optional(v.number(), SESSION_IDLE_S),
  life: v.optional(v.number(), SESSION_LIFE_S),
})
/** `POST /api/auth/sessions/end`: one session by its id, or all but the one that asks. */
export const endSessionsRequest = v.union([
  v.strictObject({ id: signedInSession.entries.id }),
  v.strictObject({ others: v.literal(true) }),
])
/** How many have ended by it: 0 where the id names none that is living. */
export const endSessionsAnswer = v.object({ code: v.literal(200), ended: v.number() })
