import { HOUR_MS } from '../time-units.ts'

/**
 * Media URLs: `{PROVIDER_ORIGIN}/media/{kind}/{id}?p={pass}&exp={ms UTC}&sig={hex}`. `p` is the opaque media token of
 * the sign-in (contract/media/media-token.ts). `sig` is lower-case hex HMAC-SHA-256 by `MEDIA_KEY` (UTF-8 bytes of the
 * binding) over `mediaContent(...)`. The provider checks it, that the sign-in has not ended, and that its account may
 * see the camera. It serves Range, with CORS for the portal's origin. The edge answers `GET /m/clip/{id}` (session
 * cookie) with 302 to such a URL. It fetches images itself, so browsers see only `/m/{thumb|last}/{id}`.
 */
export const MEDIA_KINDS = ['thumb', 'clip', 'last'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/**
 * URLs that only the provider creates: `/media/hls/{event id}` (playlist of a clip, for replay calls) and
 * `/media/zip/{export id}` (archive of clips). Signed like the others.
 */
export type SignedKind = MediaKind | 'hls' | 'zip'
export const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** Archives take long to load; repeating the export replaces an expired URL. */
const EXPORT_URL_MS = HOUR_MS
const OTHER_URL_MS = 300_000

export function isMediaKind(value: string): value is MediaKind {
  return (MEDIA_KINDS as readonly string[]).includes(value)
}

/** `id`: an event id; for `last` a device id. */
export function mediaContent(kind: SignedKind, id: string, pass: string, exp: number): string {
  return `${kind}/${id}\n${pass}\n${exp}`
}

/**
 * Returns the expiry (ms UTC) of a URL created at `now` (ms UTC). The end of its sign-in invalidates it immediately.
 */
export function mediaExpiry(kind: SignedKind, now: number): number {
  return now + (kind === 'zip' ? EXPORT_URL_MS : OTHER_URL_MS)
}

export function mediaAddress(
  origin: string,
  kind: SignedKind,
  id: string,
  query: { p: string; exp: number; sig: string },
): string {
  return `${origin}/media/${kind}/${id}?p=${query.p}&exp=${query.exp}&sig=${query.sig}`
}
