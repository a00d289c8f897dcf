/**
 * Masks secrets and personal data (LOG-04 to 09) in the local action log, the edge's logs and error reports. Callers
 * must mask a text before they truncate it, because the patterns may not match a truncated secret.
 */
const MASKED = '[masked]'
/**
 * Names of keys with secret values, compared without `-` and `_`. `person` and `search` are query parameters of
 * `/events` (a name and a query). `proof` is a parameter of the return from the card page.
 */
const SECRET_KEY_PATTERN =
  /token|authorization|cookie|secret|password|signature|^sig$|ticket|jwt|lastfour|paymentdetails|street|phone|replay|email|useraccount|coupon|redeem|codechallenge|codeverifier|kount|^person$|^search$|^proof$/i
/** The repetitions are bounded, so the matching time grows linearly with the length of the text. */
const EMAIL_PATTERN = /[^\s@"'<>/?&=]{1,254}@[^\s@"'<>/?&=]{1,254}\.[a-z]{2,}/gi
const TOKEN_PATTERN = /\beyJ[\w-]+(?:\.[\w-]+)*|\bBearer\s+\S+/g
const REDEEM_PATH_PATTERN = /(redeem\/process\/)[^/?#]+/gi
const DEPTH_MAX = 12

const isSecret = (key: string): boolean => SECRET_KEY_PATTERN.test(key.replace(/[-_]/g, ''))

/**
 * Returns a copy of a JSON value with masked secrets: values of secret keys, and secrets in strings (`maskText`). Omits
 * values that JSON cannot represent, and values deeper than `DEPTH_MAX`; returns undefined if `value` itself is one of
 * these.
 */
export function maskValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'object' || depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) return value.map((item) => maskValue(item, depth + 1)).filter((item) => item !== undefined)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const entries = Object.entries(value).map(([key, item]) => [key, isSecret(key) ? MASKED : maskValue(item, depth + 1)])
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined)) as unknown
}

/**
 * Returns the text with masked emails and tokens. Uses `maskUrl` for a text that starts with an HTTP or WebSocket
 * scheme.
 */
export function maskText(text: string): string {
  if (/^(https?|wss?):\/\//i.test(text)) return maskUrl(text)
  return text.replace(TOKEN_PATTERN, MASKED).replace(EMAIL_PATTERN, MASKED)
}

/**
 * Returns a URL without user and hash, and with masked secret parameters, coupon codes and emails. Masks everything
 * after the origin of a replay URL.
 */
export function maskUrl(urlText: string): string {
  const base = 'https://relative.invalid'
  if (!URL.canParse(urlText, base)) return MASKED
  const url = new URL(urlText, base)
  const origin = url.origin === base ? '' : url.origin
  if (/replay/i.test(url.pathname)) return `${origin}/${MASKED}`
  const query = [...url.searchParams].map(
    ([name, value]) => `${encodeURIComponent(name)}=${isSecret(name) ? MASKED : maskText(value)}`,
  )
  const path = url.pathname.replace(REDEEM_PATH_PATTERN, `$1${MASKED}`).replace(EMAIL_PATTERN, MASKED)
  return origin + path + (query.length > 0 ? `?${query.join('&')}` : '')
}
