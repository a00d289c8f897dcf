import { type RedirectRules, toSafeRedirect } from '../../domain/navigation/safe-redirect.ts'

/**
 * Next URL of the sign-in flow (STORE-02); '' before and after the flow (OPEN-07). A plain object, not an atom, because
 * nothing renders the URL and the JavaScript of the sign-in pages is limited to 3 KiB.
 */
export const loginRedirectUrl = { nextUrl: '' }

/** Holds a URL until the redirect rules have loaded, then returns the allowed target. */
export async function resolveNextUrl(url: string, rulesPromise: Promise<RedirectRules>): Promise<string> {
  loginRedirectUrl.nextUrl = url
  const rules = await rulesPromise
  const target = toSafeRedirect(loginRedirectUrl.nextUrl, rules)
  loginRedirectUrl.nextUrl = ''
  return target
}
