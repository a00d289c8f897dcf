/**
 * The path that the sign-in flow recorded and goes to next (STORE-02), '' before and after (OPEN-07). Nothing renders it,
 * and the page that uses it weighs 3 KB at most: it needs no listeners.
 */
export const loginRedirectUrl = { nextUrl: '' }

/** The recorded path, which is then forgotten. */
export function takeNextUrl(): string {
  const { nextUrl } = loginRedirectUrl
  loginRedirectUrl.nextUrl = ''
  return nextUrl
}
