import { dropSignedUrl, requestSignedUrl } from './signed-urls.ts'

/** Time after a press in which the click must open the clip, ms. */
const UNUSED_MS = 2000

let preloaded: HTMLVideoElement | null = null
let releaseTimer: ReturnType<typeof setTimeout> | undefined

/** Portal URL (`/m/clip/{id}`) of the clip that each element loads or will load. */
const clipUrls = new WeakMap<HTMLVideoElement, string>()

/** Starts to load a clip before its player renders. Replaces a preloaded clip that no player uses. */
export function preloadClip(url: string): HTMLVideoElement {
  clearTimeout(releaseTimer)
  if (preloaded && hasClipUrl(preloaded, url) && !preloaded.error) return preloaded
  releasePreloadedClip()
  preloaded = createClipVideo()
  void loadClip(preloaded, url)
  return preloaded
}

/** Like `preloadClip`, but releases the clip if no player uses it soon. */
export function preloadPressedClip(url: string): HTMLVideoElement {
  const video = preloadClip(url)
  releaseTimer = setTimeout(releasePreloadedClip, UNUSED_MS)
  return video
}

/** Returns the preloaded element of this URL, otherwise a new element. The caller owns the element. */
export function acquireClipVideo(url: string): HTMLVideoElement {
  const video = preloaded
  if (!video || !hasClipUrl(video, url)) return createClipVideo()
  clearTimeout(releaseTimer)
  preloaded = null
  return video
}

/** Returns true if the element loads the clip of this portal URL, or will load it. */
export const hasClipUrl = (video: HTMLVideoElement, url: string): boolean => clipUrls.get(video) === url

/** Stops loading. Frees the memory of the video. */
export function unloadClip(video: HTMLVideoElement): void {
  clipUrls.delete(video)
  video.removeAttribute('src')
  video.load()
}

export function releasePreloadedClip(): void {
  if (preloaded) unloadClip(preloaded)
  preloaded = null
}

/**
 * Adds an empty, hidden video to the page, because a page's first video costs Chromium 20 ms on a phone: it parses the
 * style sheet of its media controls. Returns a function that removes the video.
 */
export function prepareVideo(): () => void {
  const video = Object.assign(createClipVideo(), { hidden: true })
  document.body.append(video)
  return () => video.remove()
}

function createClipVideo(): HTMLVideoElement {
  return Object.assign(document.createElement('video'), { muted: true, playsInline: true, preload: 'auto' })
}

/**
 * Loads the clip from its signed URL. Otherwise, the main thread would have to follow the redirect of the portal URL,
 * and the request would leave only in a task after the press.
 */
async function loadClip(video: HTMLVideoElement, url: string): Promise<void> {
  clipUrls.set(video, url)
  video.addEventListener('error', () => dropSignedUrl(url), { once: true })
  const src = await requestSignedUrl(url)
  if (hasClipUrl(video, url)) video.src = src
}
