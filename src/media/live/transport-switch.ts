import type { RelayPlayer } from '../relay/relay-player.ts'

export interface ScreenHooks {
  /** The first frame of a transport is on the screen. */
  shown(transport: 'webrtc' | 'mse', width: number, height: number): void
  /** WebRTC has taken the relay's place. */
  handedOver(): void
}

/** The picture of one camera in its element: the relay's from its first frame on, WebRTC's as soon as that has one. */
export class TransportSwitch {
  private readonly hooks: ScreenHooks
  /** Where the picture is, or would be. */
  video: HTMLVideoElement | null = null
  private still: HTMLCanvasElement | null = null
  private media: MediaStream | null = null
  private relay: RelayPlayer | null = null
  muted = true
  private frame = 0
  private hasFrame = false

  constructor(hooks: ScreenHooks) {
    this.hooks = hooks
  }

  /** Shows the picture in `video`, now or once it arrives, and leaves its last frame in `still`; null takes it away. */
  attach(video: HTMLVideoElement | null, still: HTMLCanvasElement | null): void {
    this.still = still
    if (this.video && this.video !== video) this.blank(this.video)
    this.video = video
    this.show()
  }

  /** Sound of the picture; off at first, and kept over new connections. */
  setMuted(muted: boolean): void {
    this.muted = muted
    if (this.video) this.video.muted = muted
  }

  playRelay(relay: RelayPlayer): void {
    this.relay = relay
    this.show()
  }

  playMedia(media: MediaStream): void {
    this.media = media
    if (!this.relay) return this.show()
    this.relay.whenShown(media, () => this.handOver())
  }

  /** There will be no WebRTC: an ended stream has a first frame too, a black one. */
  dropMedia(): void {
    this.media = null
    this.relay?.dropProbe()
  }

  /** The relay's pictures cannot be played: what WebRTC has is shown, if it comes to that. */
  dropRelay(): void {
    this.relay?.close()
    this.relay = null
    this.show()
  }

  /** Plays the relay's pictures from the start, over their last frame. */
  again(): void {
    if (this.hasFrame) this.preserveFrame()
    this.relay?.restage()
    this.show()
  }

  /** Takes the picture away; its last frame stays. */
  clear(): void {
    if (this.hasFrame) this.preserveFrame()
    this.video?.cancelVideoFrameCallback(this.frame)
    this.media = null
    this.relay?.close()
    this.relay = null
  }

  /** A single picture in the place of the last frame. */
  draw(picture: HTMLImageElement): void {
    if (this.video?.srcObject) this.video.srcObject = null
    this.paint(picture, picture.naturalWidth, picture.naturalHeight)
  }

  private handOver(): void {
    if (this.hasFrame) this.preserveFrame()
    const { relay } = this
    this.relay = null
    this.show()
    relay?.close()
    this.hooks.handedOver()
  }

  private show(): void {
    const { video, relay, media } = this
    if (!video || !(relay || media)) return
    video.muted = this.muted
    video.playsInline = true
    if (relay) relay.attach(video)
    else video.srcObject = media
    video.cancelVideoFrameCallback(this.frame)
    this.hasFrame = false
    this.frame = video.requestVideoFrameCallback((_now, { width, height }) => {
      this.hasFrame = true
      this.hooks.shown(relay ? 'mse' : 'webrtc', width, height)
    })
    video.play().catch(() => undefined)
  }

  private blank(video: HTMLVideoElement): void {
    video.cancelVideoFrameCallback(this.frame)
    this.hasFrame = false
    this.relay?.attach(null)
    if (video.srcObject) video.srcObject = null
  }

  /** A video whose source ends or changes shows nothing for a moment: what it showed is drawn beneath it before. */
  private preserveFrame(): void {
    const { video } = this
    if (video?.videoWidth) this.paint(video, video.videoWidth, video.videoHeight)
  }

  private paint(picture: CanvasImageSource, width: number, height: number): void {
    const { still } = this
    if (!still) return
    still.width = width
    still.height = height
    still.getContext('2d')?.drawImage(picture, 0, 0)
  }
}
