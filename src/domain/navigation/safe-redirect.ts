import { isSignInPage } from './sign-in-pages.ts'

/** Target that replaces a rejected redirect target (REDIRECT-09). */
export const REDIRECT_FALLBACK = '/account/services'

const MAX_URL_LENGTH = 2048
/** Scheme and authority exactly as written: a URL parser could silently correct an invalid form. */
const URL_ORIGIN_PATTERN = /^https?:\/\/([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(?::\d{1,5})?(?=[/?#]|$)/i
const CONTROL_CHARS = /[\u0000-\u001f\u007f-\u009f]/

export interface RedirectRules {
  /** Origin of the portal. */
  readonly origin: string
  /**
   * Domains that are accepted with their subdomains if the URL uses https and the default port: the product's own and
   * the card payment provider's.
   */
  readonly domains: readonly string[]
  /**
   * Origins that are accepted exactly, port included: the portal and a card page at the payment domain, with https.
   * If the portal's host contains `local`: portal, provider and card page, also with http.
   */
  readonly exactOrigins: readonly string[]
}

/**
 * Returns the redirect rules of a deployment. If the portal's host contains `local`, the rules accept the deployment's
 * exact origins, even with http (OPEN-27). A domain that contains the host of an origin with a port is not accepted,
 * because other programs may serve the other ports of that host.
 */
export function createRedirectRules(deployment: {
  portalOrigin: string
  providerOrigin: string
  paymentOrigin: string
  ownDomain: string
  paymentDomain: string
}): RedirectRules {
  const { portalOrigin, providerOrigin, paymentOrigin, ownDomain, paymentDomain } = deployment
  const isLocal = new URL(portalOrigin).hostname.includes('local')
  // A portal whose payment provider has its own pages may have no card page.
  const origins = [portalOrigin, paymentOrigin]
    .filter((origin) => URL.canParse(origin))
    .map((origin) => new URL(origin))
  const exactHttpsOrigins = origins
    .filter(({ protocol, hostname, origin }) => {
      return protocol === 'https:' && (origin === portalOrigin || hostname === paymentDomain.toLowerCase())
    })
    .map(({ origin }) => origin)
  const sharedHosts = origins.filter(({ port }) => port !== '')
  return {
    origin: portalOrigin,
    domains: [ownDomain, paymentDomain]
      .map((domain) => domain.toLowerCase())
      .filter((domain) => !sharedHosts.some(({ hostname }) => isAllowedHost(hostname, [domain]))),
    exactOrigins: isLocal ? [portalOrigin, providerOrigin, paymentOrigin] : exactHttpsOrigins,
  }
}

/**
 * Returns the untrusted target `raw` as an absolute URL if the rules accept it, else the fallback (REDIRECT-04 to 09,
 * OPEN-27, OPEN-28). A path becomes a URL of the portal. Sign-in pages are rejected (OPEN-135).
 */
export function toSafeRedirect(raw: unknown, rules: RedirectRules): string {
  if (typeof raw !== 'string' || raw.length > MAX_URL_LENGTH || CONTROL_CHARS.test(raw)) return REDIRECT_FALLBACK
  if (raw.startsWith('/')) {
    const path = toSafePath(raw)
    return path === null ? REDIRECT_FALLBACK : checkUrl(rules.origin + path, rules)
  }
  return checkUrl(raw, rules)
}

function checkUrl(urlText: string, rules: RedirectRules): string {
  const [, host = ''] = URL_ORIGIN_PATTERN.exec(urlText) ?? []
  if (host === '' || !URL.canParse(urlText)) return REDIRECT_FALLBACK
  const url = new URL(urlText)
  if (url.hostname !== host.toLowerCase() || url.username !== '' || url.password !== '') return REDIRECT_FALLBACK
  if (isSignInPage(url.pathname)) return REDIRECT_FALLBACK
  if (rules.exactOrigins.includes(url.origin)) return url.href
  return url.protocol === 'https:' && url.port === '' && isAllowedHost(url.hostname, rules.domains)
    ? url.href
    : REDIRECT_FALLBACK
}

const isAllowedHost = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))

/**
 * Returns `raw` if it is a path of this portal, with or without a query. Returns null if it is not a path, or if it
 * could lead to another host or back into the sign-in flow (OPEN-135). Code that reads a path from storage must check
 * the path with this function, because stored values can change.
 */
export function toSafePath(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > MAX_URL_LENGTH) return null
  if (!/^\/(?![/\\])/.test(raw) || CONTROL_CHARS.test(raw)) return null
  const base = 'https://portal.invalid'
  if (!URL.canParse(raw, base)) return null
  const url = new URL(raw, base)
  // `/.//host` resolves to the path `//host`, which the next parser would read as another host.
  if (url.origin !== base || url.pathname.startsWith('//') || isSignInPage(url.pathname)) return null
  return raw
}
