import { XSRF_COOKIE } from '../../contract/wire/constants.ts'

/** Returns the value of a readable cookie, '' if absent. `name`: letters, digits, `-` and `_`. */
export function readCookie(cookies: string, name: string): string {
  const [, value = ''] = RegExp(`(?:^|; ?)${name}=([^;]*)`).exec(cookies) ?? []
  return decodeURIComponent(value)
}

/** Returns the value of `X-XSRF-TOKEN`, which the edge requires on every request except GET (OPEN-26). */
export const xsrfToken = (): string => readCookie(document.cookie, XSRF_COOKIE)
