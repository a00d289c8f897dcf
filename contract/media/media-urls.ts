import { HOUR_MS } from '../time-units.ts'

/**
 * Media URLs: `{PROVIDER_ORIGIN}/media/{kind}/{id}?p={token}&exp={ms UTC}&sig={hex}`. `p` is the opaque media token of
 * the sign-in (contract/media/media-token.ts). `sig` is lower-case hex HMAC-SHA-256 with `MEDIA_KEY` (UTF-8 bytes of
 * the binding) over `formatSignedContent(...)`. The provider checks the signature, the expiry, that the sign-in has not
 * ended, and that the account may see the camera. It supports Range requests, and CORS for the portal's origin. The
 * edge redirects `GET /m/clip/{id}` (session cookie) to such a URL. `GET /m/clips/{id,id,…}` returns the URLs of several
 * clips in the same order: `{ urls }`. For `/m/{thumb|last}/{id}`, the edge fetches the image itself, so browsers do not
 * see the signed URL.
 */
export const MEDIA_KINDS = ['thumb', 'clip', 'last'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/**
 * Kinds of media URLs, including two that only the provider creates: `/media/hls/{event id}` (playlist of a clip, for
 * replay calls) and `/media/zip/{export id}` (archive of clips). All are signed in the same way.
 */
export type SignedMediaKind = MediaKind | 'hls' | 'zip'
/** Maximum number of clips whose URLs one request signs. A tall screen shows fewer cards. */
export const SIGNED_CLIPS_MAX = 50
export const HLS_MEDIA_TYPE = 'application/vnd.apple.mpegurl'

/** Lifetime of archive URLs. It is longer than that of other media URLs, because archives take long to download. */
const EXPORT_URL_LIFETIME_MS = HOUR_MS
const MEDIA_URL_LIFETIME_MS = 300_000

export function isMediaKind(value: string): value is MediaKind {
  return (MEDIA_KINDS as readonly string[]).includes(value)
}

/**
 * Returns the content that `sig` signs. `id`: a device id for `last`, an export id for `zip`, otherwise an event id.
 */
export function formatSignedContent(kind: SignedMediaKind, id: string, mediaToken: string, exp: number): string {
  return `${kind}/${id}\n${mediaToken}\n${exp}`
}

/**
 * Returns the expiry (ms UTC) of a URL created at `now` (ms UTC). The URL becomes invalid earlier if its sign-in ends.
 */
export function getMediaExpiry(kind: SignedMediaKind, now: number): number {
  return now + (kind === 'zip' ? EXPORT_URL_LIFETIME_MS : MEDIA_URL_LIFETIME_MS)
}

export function formatMediaUrl(
  origin: string,
  kind: SignedMediaKind,
  id: string,
  query: { p: string; exp: number; sig: string },
): string {
  return `${origin}/media/${kind}/${id}?p=${query.p}&exp=${query.exp}&sig=${query.sig}`
}
