import { HLS_TYPE } from '../../../contract/media/media-urls.ts'

/**
 * Plays a clip (a file or an HLS playlist) in `video`; returns a detach function. `onFailed`: the playlist cannot be
 * played. Playlists use hls.js if Media Source exists: Chromium claims native support, but does not advance in a
 * playlist that is still open (media: Traps 10).
 */
export function attachClip(
  video: HTMLVideoElement,
  { url, mime }: { readonly url: string; readonly mime: string },
  onFailed: () => void,
): () => void {
  let stop = () => {
    video.removeAttribute('src')
    video.load()
  }
  if (mime !== HLS_TYPE || !('MediaSource' in window)) {
    video.src = url
    return stop
  }
  let isOver = false
  void import('hls.js/light').then(({ default: Hls }) => {
    if (isOver) return
    const hls = new Hls({ enableWorker: false, startPosition: 0 })
    hls.on(Hls.Events.ERROR, (_, { fatal }) => fatal && onFailed())
    hls.loadSource(url)
    hls.attachMedia(video)
    stop = () => hls.destroy()
  })
  return () => {
    isOver = true
    stop()
  }
}
