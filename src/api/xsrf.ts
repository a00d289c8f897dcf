import { XSRF_COOKIE } from '../../contract/wire/constants.ts'

/**
 * Returns the decoded value of a cookie in `cookies` (format of `document.cookie`), '' if absent. `name` becomes part
 * of a regular expression, so it may contain only letters, digits, `-` and `_`.
 */
export function readCookie(cookies: string, name: string): string {
  const [, value = ''] = RegExp(`(?:^|; ?)${name}=([^;]*)`).exec(cookies) ?? []
  return decodeURIComponent(value)
}

/**
 * Returns the CSRF token, '' if its cookie is missing. The edge requires the token in the `X-XSRF-TOKEN` header of
 * every `/api` request that a script sends, except GET (OPEN-26).
 */
export const xsrfToken = (): string => readCookie(document.cookie, XSRF_COOKIE)
