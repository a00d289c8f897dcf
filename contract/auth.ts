import * as v from 'valibot'
import { call, later } from './call.ts'
import { id, nothing, text } from './envelope.ts'

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
export const tokenRefresh = later('CALL-18', 'POST', '/oauth/token', 'web-backend', { via: 'oauth' })
export const oauthToken = later('CALL-19', 'POST', '/oauth/token', 'web-backend', { via: 'oauth' })
export const oauthAuthorize = later('CALL-20', 'GET', '/oauth/authorize', 'web-backend', { via: 'oauth' })
export const oauthUserInfo = later('CALL-21', 'GET', '/oauth/userinfo', 'web-backend', { via: 'oauth' })

/** The edge's own answers to the portal. */
export const meAnswer = v.object({
  code: v.literal(200),
  user_account: v.string(),
  user_id: id,
  /** Handle of the session's token generation, kept as `web_app_token` (OPEN-19). Opens nothing by itself. */
  web_app_token: v.string(),
})
export const authorizeAnswer = v.object({ code: v.literal(200), url: v.string(), code_challenge: v.string() })
export const refreshAnswer = v.object({ code: v.literal(200), access_token: v.string() })
export const logoutAnswer = v.object({ code: v.literal(200), url: v.optional(v.string()) })
