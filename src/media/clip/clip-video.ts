/** Time after a press in which the click must open the clip, ms. */
const UNUSED_MS = 2000

/** Maximum wait for the task that sends the request, ms. Only a very busy browser needs more. */
const REQUEST_WAIT_MS = 500

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

/**
 * Like `preloadPressedClip`. Browsers send the request in a later task. If that task has not run yet, returns a promise
 * that resolves after the task, or after `REQUEST_WAIT_MS`. Otherwise returns null.
 */
export function startClipRequest(url: string): Promise<void> | null {
  preloadPressedClip(url)
  const video = preloaded
  if (video?.networkState !== HTMLMediaElement.NETWORK_NO_SOURCE) return null
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, REQUEST_WAIT_MS)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    for (const name of ['loadstart', 'emptied']) video.addEventListener(name, finish, { once: true })
  })
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
