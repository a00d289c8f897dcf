/**
 * Draws single frames of a clip from a hidden video element. Seeks to one frame at a time; of the requests that arrive
 * during a seek, only the last is drawn.
 */
export class ClipPictures {
  private readonly video = document.createElement('video')
  private readonly canvas: HTMLCanvasElement
  private wanted: number | null = null
  private isSeeking = false

  constructor(url: string, canvas: HTMLCanvasElement) {
    this.canvas = canvas
    const { video } = this
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.addEventListener('loadedmetadata', this.seek)
    video.addEventListener('seeked', this.draw)
    video.src = url
  }

  /** Draws the frame at `second` of the clip as soon as the frame is available. */
  show(second: number): void {
    this.wanted = second
    this.seek()
  }

  close(): void {
    this.video.removeEventListener('loadedmetadata', this.seek)
    this.video.removeEventListener('seeked', this.draw)
    this.video.removeAttribute('src')
    this.video.load()
  }

  private readonly seek = (): void => {
    const { video, wanted: targetSeconds } = this
    if (this.isSeeking || targetSeconds === null || video.readyState < HTMLMediaElement.HAVE_METADATA) return
    this.isSeeking = true
    this.wanted = null
    video.currentTime = targetSeconds
  }

  private readonly draw = (): void => {
    this.isSeeking = false
    const { canvas, video } = this
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    canvas.dataset['second'] = video.currentTime.toFixed(1)
    this.seek()
  }
}
