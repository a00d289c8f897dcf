/** Time after a press in which the click must open the clip, ms. */
const UNUSED_MS = 2000

let preloaded: HTMLVideoElement | null = null
let releaseTimer: ReturnType<typeof setTimeout> | undefined

/** Starts to load a clip before its player renders. Replaces a preloaded clip that no player uses. */
export function preloadClip(url: string): void {
  clearTimeout(releaseTimer)
  if (preloaded?.getAttribute('src') === url && !preloaded.error) return
  releasePreloadedClip()
  preloaded = createClipVideo(url)
}

/** Like `preloadClip`, but releases the clip if no player uses it soon. */
export function preloadPressedClip(url: string): void {
  preloadClip(url)
  releaseTimer = setTimeout(releasePreloadedClip, UNUSED_MS)
}

/** Returns the preloaded element of this URL, otherwise a new element. The caller owns the element. */
export function acquireClipVideo(url: string): HTMLVideoElement {
  const video = preloaded
  if (video?.getAttribute('src') !== url) return createClipVideo()
  clearTimeout(releaseTimer)
  preloaded = null
  return video
}

export function releasePreloadedClip(): void {
  preloaded?.removeAttribute('src')
  preloaded?.load()
  preloaded = null
}

function createClipVideo(url = ''): HTMLVideoElement {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto' })
  if (url) video.src = url
  return video
}
