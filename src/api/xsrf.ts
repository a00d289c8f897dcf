import { XSRF_COOKIE } from '../../contract/wire/constants.ts'

/** The value of a readable cookie, or '' when it is not there. `name`: letters, digits, `-` and `_`. */
export function cookieValue(cookies: string, name: string): string {
  const [, value = ''] = RegExp(`(?:^|; ?)${name}=([^;]*)`).exec(cookies) ?? []
  return decodeURIComponent(value)
}

/** What the edge wants repeated in `X-XSRF-TOKEN` by every request that is not a GET (OPEN-26). */
export const xsrfToken = (): string => cookieValue(document.cookie, XSRF_COOKIE)
