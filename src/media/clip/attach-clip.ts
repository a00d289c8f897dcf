import { HLS_MEDIA_TYPE } from '../../../contract/media/media-urls.ts'

/**
 * Plays a clip (file or HLS playlist) in `video`; returns a detach function. `onFailed`: the playlist cannot be played.
 * Prefers hls.js to native HLS, because Chromium's native HLS stops advancing in a playlist that is still open.
 */
export function attachClip(
  video: HTMLVideoElement,
  { url, mime }: { readonly url: string; readonly mime: string },
  onFailed: () => void,
): () => void {
  let detach = () => {
    video.removeAttribute('src')
    video.load()
  }
  if (mime !== HLS_MEDIA_TYPE || !('MediaSource' in window)) {
    video.src = url
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
