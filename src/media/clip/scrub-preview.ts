/**
 * Draws single frames of a clip from a hidden video element. Seeks to one frame at a time. During a seek, a new request
 * replaces the pending one.
 */
export class ClipFramePreview {
  readonly #video = document.createElement('video')
  readonly #canvas: HTMLCanvasElement
  #pendingSeconds: number | null = null
  #isSeeking = false

  constructor(url: string, canvas: HTMLCanvasElement) {
    this.#canvas = canvas
    const video = this.#video
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.addEventListener('loadedmetadata', this.#seek)
    video.addEventListener('seeked', this.#draw)
    video.src = url
  }

  /** Draws the frame at `second` of the clip as soon as the frame is available. */
  show(second: number): void {
    this.#pendingSeconds = second
    this.#seek()
  }

  close(): void {
    this.#video.removeEventListener('loadedmetadata', this.#seek)
    this.#video.removeEventListener('seeked', this.#draw)
    this.#video.removeAttribute('src')
    this.#video.load()
  }

  readonly #seek = (): void => {
    const video = this.#video
    const targetSeconds = this.#pendingSeconds
    if (this.#isSeeking || targetSeconds === null || video.readyState < HTMLMediaElement.HAVE_METADATA) return
    this.#isSeeking = true
    this.#pendingSeconds = null
    video.currentTime = targetSeconds
  }

  readonly #draw = (): void => {
    this.#isSeeking = false
    const canvas = this.#canvas
    const video = this.#video
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    canvas.dataset['second'] = video.currentTime.toFixed(1)
    this.#seek()
  }
}
