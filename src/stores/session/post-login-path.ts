import { type RedirectRules, safeRedirect } from '../../domain/navigation/safe-redirect.ts'

/**
 * The address that the sign-in flow goes to next (STORE-02), '' before and after (OPEN-07). Nothing renders it, and the page
 * that uses it weighs 3 KB at most: it needs no listeners.
 */
export const loginRedirectUrl = { nextUrl: '' }

/** Holds an address until the rules have loaded, then clears it and returns where the browser may go. */
export async function holdNextUrl(address: string, loading: Promise<RedirectRules>): Promise<string> {
  loginRedirectUrl.nextUrl = address
  const rules = await loading
  const target = safeRedirect(loginRedirectUrl.nextUrl, rules)
  loginRedirectUrl.nextUrl = ''
  return target
}
