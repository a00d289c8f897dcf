/**
 * Media addresses (design: Media). The edge answers `GET /m/{kind}/{id}` (session cookie) with 302 to
 * `{PROVIDER_ORIGIN}/media/{kind}/{id}?u={user_id}&exp={ms UTC}&sig={hex}`; `sig` is lower-case hex HMAC-SHA-256 by
 * `MEDIA_KEY` (UTF-8 bytes of the binding) over `mediaContent(...)`. The provider checks it and that the user may see the
 * camera, and serves Range with CORS for the portal's origin.
 */
export const MEDIA_KINDS = ['thumb', 'clip', 'last'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** Clips: 5 minutes. Pictures: to the end of the next full hour, so that a browser may cache the address. */
export const CLIP_URL_MS = 300_000
export const PICTURE_URL_MS = 3_600_000

export function isMediaKind(value: string): value is MediaKind {
  return (MEDIA_KINDS as readonly string[]).includes(value)
}

/** `id` is an event id, for `last` a device id. */
export function mediaContent(kind: MediaKind, id: string, userId: string, exp: number): string {
  return `${kind}/${id}\n${userId}\n${exp}`
}

/** When an address made at `now` (ms UTC) ends. */
export function mediaExpiry(kind: MediaKind, now: number): number {
  if (kind === 'clip') return now + CLIP_URL_MS
  return (Math.floor(now / PICTURE_URL_MS) + 2) * PICTURE_URL_MS
}
