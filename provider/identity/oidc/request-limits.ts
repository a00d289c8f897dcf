import { userLogin } from '../../../contract/auth/user-calls.ts'
import { BODY_BYTES_MAX, type BodyTooLargeError } from '../../../contract/wire/body-limits.ts'
import { ACCOUNT_DELETION_PATH } from '../../../contract/account/account-deletion.ts'
import { FairShareLimiter } from '../../../contract/wire/fair-share-limiter.ts'
import { recordOverload } from '../sign-in/overload-state.ts'
import { CHANGE_PASSWORD_PATH } from '../password/change-password.ts'
import { PASSWORD_RESET_PATH, SIGN_UP_PATH } from '../../notifications/email-links.ts'
import { SECOND_FACTOR_PATH } from '../two-factor/settings-pages.ts'
import { PASSKEYS_PATH } from '../passkeys/settings-path.ts'
import { passwordMessagePage } from '../password/change-password-page.ts'
import { SERVER_ERROR_MESSAGE, signInStoppedPage } from '../pages/error-page.ts'
import { pageHeaders } from '../pages/send-page.ts'
import { parseSignInUid } from '../sign-in/sign-in-path.ts'

const TOO_LONG_MESSAGE = 'The text you entered is too long. Go back and shorten it.'

const TOO_OFTEN_MESSAGE = 'Too many requests from your network. Wait a minute, then try again.'
const AUTHORIZE_PATH = '/oauth/authorize'

/** Paths of the provider's own forms and calls, which oidc-provider does not handle. */
const NON_OIDC_PATHS: readonly string[] = [
  CHANGE_PASSWORD_PATH,
  PASSWORD_RESET_PATH,
  SIGN_UP_PATH,
  SECOND_FACTOR_PATH,
  PASSKEYS_PATH,
  ACCOUNT_DELETION_PATH,
  userLogin.path,
]
const isNonOidcPath = (path: string) => parseSignInUid(path) !== null || NON_OIDC_PATHS.includes(path)

/** Returns the body limit of an identity path, in bytes. */
export const getBodyLimit = (path: string): number => (isNonOidcPath(path) ? BODY_BYTES_MAX.form : BODY_BYTES_MAX.oauth)

/** Returns a 413 response in the error format of the path: HTML, JSON or OAuth error. */
export function createTooLargeResponse(path: string, error: BodyTooLargeError, portalOrigin: string): Response {
  return createErrorResponse(path, { status: 413, page: TOO_LONG_MESSAGE, msg: error.message }, portalOrigin)
}

/** Returns a 500 response in the error format of the path, instead of Koa's plain-text response. */
export function createFailureResponse(path: string, portalOrigin: string): Response {
  return createErrorResponse(path, { status: 500, page: SERVER_ERROR_MESSAGE, msg: SERVER_ERROR_MESSAGE }, portalOrigin)
}

const pageRateLimiter = new FairShareLimiter({ each: { burst: 30, perSecond: 1 }, all: { burst: 300, perSecond: 10 } })
const formRateLimiter = new FairShareLimiter({
  each: { burst: 10, perSecond: 0.2 },
  all: { burst: 150, perSecond: 10 },
})

/**
 * Returns a 429 response if the client network exceeds its limit for pages or forms, otherwise null. Of the endpoints
 * of oidc-provider, limits only `AUTHORIZE_PATH`, because the edge server calls the others. `now`: ms UTC.
 */
export function enforceRequestLimit(
  { method, url }: Request,
  network: string,
  now: number,
  portalOrigin: string,
): Response | null {
  const path = new URL(url).pathname
  if (!isNonOidcPath(path) && !path.startsWith(AUTHORIZE_PATH)) return null
  const isForm = method === 'POST' && isNonOidcPath(path)
  const waitMs = (isForm ? formRateLimiter : pageRateLimiter).consume(network, now)
  if (waitMs === 0) return null
  recordOverload(now)
  const response = createErrorResponse(
    path,
    { status: 429, page: TOO_OFTEN_MESSAGE, msg: TOO_OFTEN_MESSAGE },
    portalOrigin,
  )
  response.headers.set('retry-after', String(Math.ceil(waitMs / 1000)))
  return response
}

interface ErrorContent {
  readonly status: 413 | 429 | 500
  readonly page: string
  readonly msg: string
}

/**
 * Returns an error in the format of the path: HTML for browsers, JSON for the login call, RFC 6749 for OAuth clients.
 */
function createErrorResponse(path: string, { status, page, msg }: ErrorContent, portalOrigin: string): Response {
  if (path === userLogin.path) return json(status, { code: status, msg })
  if (path === CHANGE_PASSWORD_PATH) return html(status, passwordMessagePage(page, portalOrigin), portalOrigin)
  if (isNonOidcPath(path) || path.startsWith(AUTHORIZE_PATH))
    return html(status, signInStoppedPage(page, portalOrigin), portalOrigin)
  const error = status === 500 ? 'server_error' : 'invalid_request'
  return json(status, { error, error_description: msg })
}

const json = (status: number, content: object): Response =>
  Response.json(content, { status, headers: { 'cache-control': 'no-store' } })

const html = (status: number, content: string, portalOrigin: string): Response =>
  new Response(content, {
    status,
    headers: { ...pageHeaders(portalOrigin), 'content-type': 'text/html; charset=utf-8' },
  })
