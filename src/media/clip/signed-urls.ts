import { SIGNED_CLIPS_MAX } from '../../../contract/media/media-urls.ts'

/** Time for which a signed URL is used, ms. It is valid for longer, so that a playing clip can still load its rest. */
const USE_MS = 120_000

/** Time after a failure in which only opened clips and previews request their URL, ms. */
const PAUSE_MS = 10_000
let pausedUntil = 0

/** Signed URLs by the portal URL (`/m/clip/{id}`) of the clip, with the time of their request, ms UTC. */
const requested = new Map<string, { readonly signedUrl: Promise<string>; readonly at: number }>()

/**
 * Requests the signed URLs of the clips that have none, in one request. Ignores clips beyond its maximum, and all clips
 * for a time after a failure.
 */
export function requestSignedUrls(urls: readonly string[]): void {
  if (Date.now() >= pausedUntil) requestMissing(urls)
}

/** Returns the signed URL of a clip, or `url` if the request fails. An element then fails with `url`. */
export function requestSignedUrl(url: string): Promise<string> {
  requestMissing([url])
  return requested.get(url)?.signedUrl ?? Promise.resolve(url)
}

function requestMissing(urls: readonly string[]): void {
  const at = Date.now()
  for (const [url, request] of requested) if (at - request.at >= USE_MS) requested.delete(url)
  const missing = urls.filter((url) => !requested.has(url)).slice(0, SIGNED_CLIPS_MAX)
  if (missing.length === 0) return
  const response = fetchSignedUrls(missing)
  void response.then((signedUrls) => (pausedUntil = signedUrls ? 0 : Date.now() + PAUSE_MS))
  missing.forEach((url, i) => {
    const signedUrl = response.then((signedUrls) => {
      if (!signedUrls) dropSignedUrl(url)
      return signedUrls?.[i] ?? url
    })
    requested.set(url, { signedUrl, at })
  })
}

/** Forgets the signed URL of a clip that has failed, because the access may have ended meanwhile. */
export function dropSignedUrl(url: string): void {
  requested.delete(url)
}

/** Returns null if the request fails. */
async function fetchSignedUrls(urls: readonly string[]): Promise<readonly string[] | null> {
  try {
    const ids = urls.map((url) => url.slice(url.lastIndexOf('/') + 1))
    const response = await fetch(`/m/clips/${ids.join(',')}`, { priority: 'high' })
    return response.ok ? ((await response.json()) as { urls: readonly string[] }).urls : null
  } catch {
    return null
  }
}
