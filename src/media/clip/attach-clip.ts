import { HLS_TYPE } from '../../../contract/media/media-urls.ts'

/**
 * Gives a video its clip, a file or a playlist, until the returned function is called; `onFailed` when a playlist cannot be
 * played. Playlists go through hls.js wherever
 * there is Media Source: Chromium says that it plays them, and stays with an open one for ever (media: Traps 10).
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
