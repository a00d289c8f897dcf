import { HLS_MEDIA_TYPE } from '../../../contract/media/media-urls.ts'
import { hasClipUrl, unloadClip } from './clip-video.ts'

/**
 * Loads a clip (file or HLS playlist) into `video`; returns a detach function. Calls `onFailed` if hls.js cannot play
 * the playlist. Prefers hls.js, because Chromium's native HLS stops advancing in a playlist without an end tag.
 */
export function attachClip(
  video: HTMLVideoElement,
  { url, mime }: { readonly url: string; readonly mime: string },
  onFailed: () => void,
): () => void {
  let detach = () => unloadLater(video)
  if (mime !== HLS_MEDIA_TYPE || !('MediaSource' in window)) {
    // A preloaded video already loads this URL. Setting the URL again would start over.
    if (!hasClipUrl(video, url)) video.src = url
    return detach
  }
  let isDetached = false
  void import('hls.js/light').then(({ default: Hls }) => {
    if (isDetached) return
    const hls = new Hls({ enableWorker: false, startPosition: 0 })
    hls.on(Hls.Events.ERROR, (_, { fatal }) => fatal && onFailed())
    hls.loadSource(url)
    hls.attachMedia(video)
    detach = () => hls.destroy()
  })
  return () => {
    isDetached = true
    detach()
  }
}

/** Stops the video, and unloads it in a later task, because unloading takes several ms and the next clip comes first. */
function unloadLater(video: HTMLVideoElement): void {
  video.pause()
  setTimeout(() => video.isConnected || unloadClip(video))
}
