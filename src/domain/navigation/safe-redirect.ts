import { isSignInPage } from './sign-in-pages.ts'

/** Where a refused redirect goes (REDIRECT-09). */
export const REDIRECT_FALLBACK = '/account/services'

const MAX_LENGTH = 2048
/** Scheme and authority as they were written, before a parser could repair them. */
const WRITTEN = /^https?:\/\/([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(?::\d{1,5})?(?=[/?#]|$)/i
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

export interface RedirectRules {
  /** Origin of the portal; its host counts as an own domain, without its subdomains. */
  readonly origin: string
  /** Domains that are accepted together with their subdomains: the product's own and the card payment provider's. */
  readonly domains: readonly string[]
  /** Origins that are accepted as they are, also with http: portal, provider and card page on a host that contains `local`. */
  readonly localOrigins: readonly string[]
}

/** The rules of a deployment. Its origins count as they are only where the portal's host contains `local` (OPEN-27). */
export function redirectRules(deployment: {
  portalOrigin: string
  providerOrigin: string
  paymentOrigin: string
  ownDomain: string
  paymentDomain: string
}): RedirectRules {
  const { portalOrigin, providerOrigin, paymentOrigin, ownDomain, paymentDomain } = deployment
  const isLocal = new URL(portalOrigin).hostname.includes('local')
  return {
    origin: portalOrigin,
    domains: [ownDomain, paymentDomain].map((domain) => domain.toLowerCase()),
    localOrigins: isLocal ? [portalOrigin, providerOrigin, paymentOrigin] : [],
  }
}

/**
 * The address to go to for a redirect that came from outside: `raw` itself, parsed, if the rules accept it (REDIRECT-04
 * to 09, OPEN-27, OPEN-28), else the fallback. A path is taken as one of the portal's own pages; those of the sign-in flow
 * are refused like a foreign address (OPEN-135).
 */
export function safeRedirect(raw: unknown, rules: RedirectRules): string {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH || CONTROL.test(raw)) return REDIRECT_FALLBACK
  if (raw.startsWith('/')) {
    const path = safePath(raw)
    return path === null ? REDIRECT_FALLBACK : accept(rules.origin + path, rules)
  }
  return accept(raw, rules)
}

function accept(written: string, rules: RedirectRules): string {
  const [, host = ''] = WRITTEN.exec(written) ?? []
  if (host === '' || !URL.canParse(written)) return REDIRECT_FALLBACK
  const url = new URL(written)
  if (url.hostname !== host.toLowerCase() || url.username !== '' || url.password !== '') return REDIRECT_FALLBACK
  if (isSignInPage(url.pathname)) return REDIRECT_FALLBACK
  if (rules.localOrigins.includes(url.origin)) return url.href
  return url.protocol === 'https:' && url.port === '' && isListed(url.hostname, rules) ? url.href : REDIRECT_FALLBACK
}

function isListed(host: string, { origin, domains }: RedirectRules): boolean {
  if (host === new URL(origin).hostname) return true
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/**
 * A path of this portal with its query, as `state` or the last visited path carry it; null when it could lead anywhere
 * else, or back into the sign-in flow (OPEN-135). To be asked again whenever such a path is read back.
 */
export function safePath(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH) return null
  if (!/^\/(?![/\\])/.test(raw) || CONTROL.test(raw)) return null
  const base = 'https://portal.invalid'
  if (!URL.canParse(raw, base)) return null
  const url = new URL(raw, base)
  // `/.//host` resolves to the path `//host`, which the next reader would take for another host.
  if (url.origin !== base || url.pathname.startsWith('//') || isSignInPage(url.pathname)) return null
  return raw
}
