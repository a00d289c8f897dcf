/**
 * Media addresses: `{PROVIDER_ORIGIN}/media/{kind}/{id}?p={pass}&exp={ms UTC}&sig={hex}`. `p` names the sign-in without
 * saying whose it is (contract/media/media-token.ts); `sig` is lower-case hex HMAC-SHA-256 by `MEDIA_KEY` (UTF-8 bytes of the
 * binding) over `mediaContent(...)`. The provider checks it, that the sign-in has not ended, and that its account may see the
 * camera; it serves Range, with CORS for the portal's origin. The edge answers `GET /m/clip/{id}` (session cookie) with 302
 * to such an address. Pictures it fetches there by itself, so that a browser knows them by `/m/{thumb|last}/{id}` alone.
 */
export const MEDIA_KINDS = ['thumb', 'clip', 'last'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/**
 * Addresses that only the provider makes: `/media/hls/{event id}` (playlist of a clip, answer of the replay calls) and
 * `/media/zip/{export id}` (archive of clips). Signed like the others.
 */
export type SignedKind = MediaKind | 'hls' | 'zip'
export const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** Archives take long to load; an ended address is replaced by asking for the export again. */
const EXPORT_URL_MS = 3_600_000
const OTHER_URL_MS = 300_000

export function isMediaKind(value: string): value is MediaKind {
  return (MEDIA_KINDS as readonly string[]).includes(value)
}

/** `id` is an event id, for `last` a device id. */
export function mediaContent(kind: SignedKind, id: string, pass: string, exp: number): string {
  return `${kind}/${id}\n${pass}\n${exp}`
}

/** When an address made at `now` (ms UTC) ends, at the latest: with its sign-in it ends at once. */
export function mediaExpiry(kind: SignedKind, now: number): number {
  return now + (kind === 'zip' ? EXPORT_URL_MS : OTHER_URL_MS)
}

/** The address as it is sent; `sig` as above. */
export function mediaAddress(
  origin: string,
  kind: SignedKind,
  id: string,
  query: { p: string; exp: number; sig: string },
): string {
  return `${origin}/media/${kind}/${id}?p=${query.p}&exp=${query.exp}&sig=${query.sig}`
}
