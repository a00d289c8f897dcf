import { type RedirectRules, safeRedirect } from '../../domain/navigation/safe-redirect.ts'

/**
 * Next URL of the sign-in flow (STORE-02); '' before and after that flow (OPEN-07). Not an atom, because nothing
 * renders it and its page is limited to 3 KB.
 */
export const loginRedirectUrl = { nextUrl: '' }

/** Holds a URL until the redirect rules have loaded, then clears it and returns the allowed target. */
export async function holdNextUrl(address: string, loading: Promise<RedirectRules>): Promise<string> {
  loginRedirectUrl.nextUrl = address
  const rules = await loading
  const target = safeRedirect(loginRedirectUrl.nextUrl, rules)
  loginRedirectUrl.nextUrl = ''
  return target
}
