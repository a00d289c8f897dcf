import { getCookie } from 'hono/cookie'
import type { MiddlewareHandler } from 'hono'
import { XSRF_COOKIE, XSRF_HEADER } from '../../../contract/wire/constants.ts'
import { EdgeError } from '../edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../edge-context.ts'

/** Routes that accept navigation from another site, such as the redirect from the issuer to the callback. */
export const CROSS_SITE_ROUTES: readonly string[] = ['/api/auth/callback', '/api/auth/sign-up', '/api/redirect']
/**
 * Routes that also accept a plain form post, for pages without JavaScript. `Sec-Fetch-Site` proves the origin of such a
 * post.
 */
export const PLAIN_FORM_ROUTES: readonly string[] = ['/api/auth/authorize']

const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * Checks every request to `/api` for CSRF (OPEN-26). A request that fails the check gets 403 with body code `csrf`,
 * and the page then does not refresh the session's tokens.
 */
export const checkCsrf: MiddlewareHandler<EdgeEnv> = async (c, next) => {
  const problem = isReadRequest(c) ? findReadProblem(c) : findWriteProblem(c)
  if (problem) throw new EdgeError(403, problem, 'csrf')
  await next()
}

export function isFormRequest(c: EdgeContext): boolean {
  return getMediaType(c) === FORM_TYPE
}

/**
 * Returns true if a page of this portal sent the request. Browsers send `Origin` with every write, so a page of another
 * site is detected.
 */
export function isFromPortalPage(c: EdgeContext): boolean {
  return (
    (c.req.header('sec-fetch-site') ?? 'same-origin') === 'same-origin' && isPortalOrigin(c, c.req.header('origin'))
  )
}

function isReadRequest(c: EdgeContext): boolean {
  return c.req.method === 'GET' || c.req.method === 'HEAD'
}

function findReadProblem(c: EdgeContext): string | null {
  if (CROSS_SITE_ROUTES.includes(c.req.path) && c.req.header('sec-fetch-mode') === 'navigate') return null
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return 'This endpoint accepts requests only from this portal.'
  const origin = c.req.header('origin')
  return origin === undefined || isPortalOrigin(c, origin)
    ? null
    : 'This endpoint accepts requests only from this portal.'
}

function findWriteProblem(c: EdgeContext): string | null {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return 'This request came from another site.'
  if (!isPortalOrigin(c, c.req.header('origin'))) return 'This request’s Origin header doesn’t match this portal.'
  if (isFormRequest(c) && PLAIN_FORM_ROUTES.includes(c.req.path))
    return site === 'same-origin'
      ? null
      : 'Your browser didn’t confirm that this form came from this portal. Turn on JavaScript or update your browser.'
  const type = getMediaType(c)
  if (type !== '' && type !== 'application/json') return 'This endpoint accepts only JSON.'
  const token = getCookie(c, XSRF_COOKIE)
  return token && token === c.req.header(XSRF_HEADER) ? null : `The header ${XSRF_HEADER} doesn’t match its cookie.`
}

function isPortalOrigin(c: EdgeContext, origin: string | undefined): boolean {
  return origin === c.var.settings.PORTAL_ORIGIN
}

function getMediaType(c: EdgeContext): string {
  return (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}
