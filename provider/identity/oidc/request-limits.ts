import { userLogin } from '../../../contract/auth/user-calls.ts'
import { BODY_MAX, type BodyTooLarge } from '../../../contract/wire/body-limits.ts'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { LEAVE_PATH } from '../../../contract/account/account-deletion.ts'
import { FairShareLimiter } from '../../../contract/wire/fair-share-limiter.ts'
import { recordOverload } from '../sign-in/overload-state.ts'
import { PASSWORD_PATH } from '../password/change-password.ts'
import { FORGOTTEN_PATH } from '../../notifications/password-reset-link.ts'
import { FACTOR_PATH } from '../two-factor/settings-pages.ts'
import { PASSKEYS_PATH } from '../passkeys/settings-path.ts'
import { sentencePage } from '../password/change-password-page.ts'
import { FAILED, stoppedPage } from '../pages/error-page.ts'
import { pageHeaders } from '../pages/send-page.ts'
import { signInUid } from '../sign-in/sign-in-path.ts'

const TOO_LONG = `This form is longer than ${BRAND_NAME} takes. Go back and shorten what you typed.`

const TOO_OFTEN = 'Too many requests came from where you are. Wait a minute, then try again.'
const AUTHORIZE = '/oauth/authorize'

/** Paths of the provider's own forms and calls, which do not belong to oidc-provider. */
const OURS: readonly string[] = [
  ...[PASSWORD_PATH, FORGOTTEN_PATH, FACTOR_PATH, PASSKEYS_PATH, LEAVE_PATH],
  userLogin.path,
]
const isOurs = (path: string) => signInUid(path) !== null || OURS.includes(path)

/** Returns the body limit of an identity path, in bytes. */
export const getBodyLimit = (path: string): number => (isOurs(path) ? BODY_MAX.form : BODY_MAX.oauth)

/** Returns 413 in the error format of the path. */
export function tooLarge(path: string, error: BodyTooLarge, portalOrigin: string): Response {
  return refusal(path, { status: 413, page: TOO_LONG, msg: error.message }, portalOrigin)
}

/** Returns 500 in the error format of the path, instead of the runtime's plain text. */
export function failed(path: string, portalOrigin: string): Response {
  return refusal(path, { status: 500, page: FAILED, msg: FAILED }, portalOrigin)
}

/** Rate limit of sign-in and account pages, per client network. */
const pages = new FairShareLimiter({ each: { burst: 30, perSecond: 1 }, all: { burst: 300, perSecond: 10 } })
/** Rate limit of form posts, per client network. */
const forms = new FairShareLimiter({ each: { burst: 10, perSecond: 0.2 }, all: { burst: 150, perSecond: 10 } })

/**
 * Returns 429 for a client network over its limit, else null. Runs before any parsing or exact counting, so that a
 * flood of guesses is cheap. Requests that the portal makes for its visitors are exempt. `now` in ms UTC.
 */
export function enforceRequestLimit(
  { method, url }: Request,
  place: string,
  now: number,
  portalOrigin: string,
): Response | null {
  const path = new URL(url).pathname
  if (!isOurs(path) && !path.startsWith(AUTHORIZE)) return null
  const isForm = method === 'POST' && isOurs(path)
  const waitMs = (isForm ? forms : pages).consume(place, now)
  if (waitMs === 0) return null
  recordOverload(now)
  const answer = refusal(path, { status: 429, page: TOO_OFTEN, msg: TOO_OFTEN }, portalOrigin)
  answer.headers.set('retry-after', String(Math.ceil(waitMs / 1000)))
  return answer
}

interface ErrorContent {
  readonly status: 413 | 429 | 500
  /** Error sentence for the HTML page. */
  readonly page: string
  /** Error message for API clients. */
  readonly msg: string
}

/** Returns an HTML page for browsers, JSON for the login call, and an RFC 6749 error for OAuth clients. */
function refusal(path: string, { status, page, msg }: ErrorContent, portalOrigin: string): Response {
  if (path === userLogin.path) return json(status, { code: status, msg })
  if (path === PASSWORD_PATH) return html(status, sentencePage(page, portalOrigin), portalOrigin)
  if (isOurs(path) || path.startsWith(AUTHORIZE)) return html(status, stoppedPage(page, portalOrigin), portalOrigin)
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
