import { XSRF_COOKIE } from '../../contract/constants.ts'

/** The value of a readable cookie, or '' when it is not there. */
export function cookieValue(cookies: string, name: string): string {
  for (const part of cookies.split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return decodeURIComponent(part.slice(at + 1).trim())
  }
  return ''
}

/** What the edge wants repeated in `X-XSRF-TOKEN` by every request that is not a GET (OPEN-26). */
export const xsrfToken = (): string => cookieValue(document.cookie, XSRF_COOKIE)
