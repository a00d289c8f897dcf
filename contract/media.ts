/**
 * Media addresses. The edge answers `GET /m/{kind}/{id}` (session cookie) with 302 to
 * `{PROVIDER_ORIGIN}/media/{kind}/{id}?u={user_id}&exp={ms UTC}&sig={hex}`; `sig` is lower-case hex HMAC-SHA-256 by
 * `MEDIA_KEY` (UTF-8 bytes of the binding) over `mediaContent(...)`. The provider checks it and that the user may see the
 * camera, and serves Range with CORS for the portal's origin.
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
export const EXPORT_URL_MS = 3_600_000

/** Clips: 5 minutes. Pictures: to the end of the next full hour, so that a browser may cache the address. */
export const CLIP_URL_MS = 300_000
export const PICTURE_URL_MS = 3_600_000

export function isMediaKind(value: string): value is MediaKind {
  return (MEDIA_KINDS as readonly string[]).includes(value)
}

/** `id` is an event id, for `last` a device id. */
export function mediaContent(kind: SignedKind, id: string, userId: string, exp: number): string {
  return `${kind}/${id}\n${userId}\n${exp}`
}

/** When an address made at `now` (ms UTC) ends. */
export function mediaExpiry(kind: SignedKind, now: number): number {
  if (kind === 'zip') return now + EXPORT_URL_MS
  if (kind === 'clip' || kind === 'hls') return now + CLIP_URL_MS
  return (Math.floor(now / PICTURE_URL_MS) + 2) * PICTURE_URL_MS
}
