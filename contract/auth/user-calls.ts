import * as v from 'valibot'
import { timeZoneName } from '../account/home-time-zone.ts'
import { call, declareUnusedCall } from '../wire/call.ts'
import { id, emptyObject, text } from '../wire/envelope.ts'

/** User calls of the provider. The edge gateway forwards none of them for a browser (OPEN-09, OPEN-10, OPEN-12). */
/**
 * Signs in with credentials in JSON and `source` in the query (OPEN-12). Returns no token, but sets the provider's own
 * cookie, so that the next authorization needs no prompt. The portal itself never handles a password.
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
/** Revokes all tokens of the access token's grant, and ends the single sign-on session to which the token belongs. */
export const userLogout = call(
  'CALL-02',
  'POST',
  '/api/v2/user/logout',
  'web-backend',
  { request: emptyObject, response: v.object({ code: v.literal(200) }) },
  { via: 'edge' },
)
/** Returns the account's status after a sign-in and records the sign-in (OPEN-126). */
export const userStatus = call(
  'CALL-03',
  'POST',
  '/api/v2/user/status',
  'web-backend',
  {
    /** `time_zone`: zone of the browser that signed in, if the edge knows it. */
    request: v.object({ source: v.literal('login'), time_zone: v.optional(timeZoneName) }),
    response: v.object({ code: v.literal(200), status: v.literal('active') }),
  },
  { via: 'edge' },
)
/**
 * Exchanges a valid access token for a new one of the same grant (OPEN-10, OPEN-11). Ignores cookies, and rejects
 * requests from pages of other origins.
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
  { request: emptyObject, response: v.object({ code: v.literal(200), user_account: v.string(), user_id: id }) },
  { via: 'edge' },
)
/** Unused: the portal uses the standard refresh grant at the discovered token endpoint instead (OPEN-10). */
export const tokenRefresh = declareUnusedCall('CALL-18', 'POST', '/oauth/token', 'web-backend', { via: 'oauth' })
export const oauthToken = declareUnusedCall('CALL-19', 'POST', '/oauth/token', 'web-backend', { via: 'oauth' })
export const oauthAuthorize = declareUnusedCall('CALL-20', 'GET', '/oauth/authorize', 'web-backend', { via: 'oauth' })
export const oauthUserInfo = declareUnusedCall('CALL-21', 'GET', '/oauth/userinfo', 'web-backend', { via: 'oauth' })

/** Default idle timeout and absolute lifetime of a session, s (OPEN-18). */
export const SESSION_IDLE_TIMEOUT_S = 14 * 86_400
export const SESSION_LIFETIME_S = 30 * 86_400

/** Response of the edge to `GET /api/auth/me`. */
export const userResponse = v.object({
  code: v.literal(200),
  user_account: v.string(),
  user_id: id,
  /**
   * Handle of the session's token generation, which pages store as `web_app_token` (OPEN-19). The handle alone grants
   * no access.
   */
  web_app_token: v.string(),
  /** Latest possible end of the session, unix seconds (OPEN-18); missing from earlier versions of the edge. */
  ends: v.optional(v.number()),
})
export const authorizeResponse = v.object({ code: v.literal(200), url: v.string(), code_challenge: v.string() })
/** Response of the edge to `GET /api/auth/sign-up-status`. `open`: visitors may create an account (OPEN-164). */
export const signUpStatusResponse = v.object({ code: v.literal(200), sign_up: v.picklist(['open', 'closed']) })
export const refreshResponse = v.object({ code: v.literal(200), access_token: v.string() })
export const logoutResponse = v.object({ code: v.literal(200), url: v.optional(v.string()) })

/** One session of an account. Times in unix seconds. */
export const signedInSession = v.object({
  /** Id for `endSessionsRequest`; grants no access, and is not the cookie. */
  id: v.pipe(v.string(), v.maxLength(64)),
  /** Browser and system at the sign-in, such as `Chrome on Windows`. */
  device: v.string(),
  started: v.number(),
  last_used: v.number(),
  /** End of the session, unix seconds, if the session stays unused. */
  ends: v.number(),
  current: v.boolean(),
})
/** `GET /api/auth/sessions`: the account's active sessions, newest first. 401 without a session. */
export const sessionsResponse = v.object({
  code: v.literal(200),
  sessions: v.array(signedInSession),
  /** Idle timeout and absolute lifetime, s; missing from earlier versions of the edge. */
  idle: v.optional(v.number(), SESSION_IDLE_TIMEOUT_S),
  life: v.optional(v.number(), SESSION_LIFETIME_S),
})
/** `POST /api/auth/sessions/end`: ends one session by its id, or all sessions except the requesting one. */
export const endSessionsRequest = v.union([
  v.strictObject({ id: signedInSession.entries.id }),
  v.strictObject({ others: v.literal(true) }),
])
/** Number of ended sessions; 0 if the id matches no active session. */
export const endSessionsResponse = v.object({ code: v.literal(200), ended: v.number() })
