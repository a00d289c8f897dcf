import type { RelayPlayer } from '../relay/relay-player.ts'

export interface ScreenHooks {
  /** Called when the first frame of a transport is on the screen. */
  shown(transport: 'webrtc' | 'mse', width: number, height: number): void
  /** Called when WebRTC has replaced the relay. */
  handedOver(): void
}

/** Shows the live video of one camera in its element: first from the relay, then from WebRTC once that has a frame. */
export class TransportSwitch {
  private readonly hooks: ScreenHooks
  /** Element that shows the video, or will show it. */
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

  /**
   * Shows the video in `video`, immediately or once it arrives, and draws its last frame into `still`. Null detaches
   * it.
   */
  attach(video: HTMLVideoElement | null, still: HTMLCanvasElement | null): void {
    this.still = still
    if (this.video && this.video !== video) this.blank(this.video)
    this.video = video
    this.show()
  }

  /** Mutes or unmutes the audio: muted at first, kept across reconnects. */
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

  /**
   * Discards the WebRTC video and stops waiting for its first frame, because an ended stream still reports one, a black
   * frame.
   */
  dropMedia(): void {
    this.media = null
    this.relay?.dropProbe()
  }

  /** Closes a relay that cannot be played, and shows the WebRTC video if there is any. */
  dropRelay(): void {
    this.relay?.close()
    this.relay = null
    this.show()
  }

  /** Restarts playback of the relay; its last frame stays visible until then. */
  again(): void {
    if (this.hasFrame) this.preserveFrame()
    this.relay?.restage()
    this.show()
  }

  /** Removes the video; its last frame stays. */
  clear(): void {
    if (this.hasFrame) this.preserveFrame()
    this.video?.cancelVideoFrameCallback(this.frame)
    this.media = null
    this.relay?.close()
    this.relay = null
  }

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

  /** A video is blank for a moment when its source ends or changes, so its frame is drawn beneath it first. */
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
