import type { RelayPlayer } from '../relay/relay-player.ts'

export interface TransportSwitchHooks {
  /** Called when the first frame of a transport is on the screen. */
  onFirstFrame(transport: 'webrtc' | 'mse', width: number, height: number): void
  onRelayReplaced(): void
}

/**
 * Shows the live video of one camera in its element: first from the relay, then from WebRTC once WebRTC has a frame.
 */
export class TransportSwitch {
  readonly #hooks: TransportSwitchHooks
  /** Element that shows the video now, or once the video arrives. */
  video: HTMLVideoElement | null = null
  #still: HTMLCanvasElement | null = null
  #media: MediaStream | null = null
  #relay: RelayPlayer | null = null
  muted = true
  #frameCallbackHandle = 0
  #hasFrame = false

  constructor(hooks: TransportSwitchHooks) {
    this.#hooks = hooks
  }

  /**
   * Shows the stream in `video`, immediately or once it arrives, and draws its last frame into `still`. Null detaches
   * the video.
   */
  attach(video: HTMLVideoElement | null, still: HTMLCanvasElement | null): void {
    this.#still = still
    if (this.video && this.video !== video) this.#clearVideo(this.video)
    this.video = video
    this.#show()
  }

  /** Mutes or unmutes the audio. Audio is muted at first, and reconnects keep the setting. */
  setMuted(muted: boolean): void {
    this.muted = muted
    if (this.video) this.video.muted = muted
  }

  playRelay(relay: RelayPlayer): void {
    this.#relay = relay
    this.#show()
  }

  playMedia(media: MediaStream): void {
    this.#media = media
    if (!this.#relay) return this.#show()
    this.#relay.waitForFirstFrame(media, () => this.#replaceRelay())
  }

  /**
   * Discards the WebRTC video and stops waiting for its first frame: an ended stream would still report a black first
   * frame.
   */
  discardMedia(): void {
    this.#media = null
    this.#relay?.discardProbe()
  }

  /** Closes a relay that cannot be played, and shows the WebRTC video if there is any. */
  discardRelay(): void {
    this.#relay?.close()
    this.#relay = null
    this.#show()
  }

  /** Restarts playback of the relay. The last frame stays visible until playback resumes. */
  restartRelay(): void {
    if (this.#hasFrame) this.#preserveFrame()
    this.#relay?.detach()
    this.#show()
  }

  /** Stops the video. Its last frame stays visible. */
  clear(): void {
    if (this.#hasFrame) this.#preserveFrame()
    this.video?.cancelVideoFrameCallback(this.#frameCallbackHandle)
    this.#media = null
    this.#relay?.close()
    this.#relay = null
  }

  drawSnapshot(picture: HTMLImageElement): void {
    if (this.video?.srcObject) this.video.srcObject = null
    this.#drawStill(picture, picture.naturalWidth, picture.naturalHeight)
  }

  #replaceRelay(): void {
    if (this.#hasFrame) this.#preserveFrame()
    const relay = this.#relay
    this.#relay = null
    this.#show()
    relay?.close()
    this.#hooks.onRelayReplaced()
  }

  #show(): void {
    const { video } = this
    const relay = this.#relay
    const media = this.#media
    if (!video || !(relay || media)) return
    video.muted = this.muted
    video.playsInline = true
    if (relay) relay.attach(video)
    else video.srcObject = media
    video.cancelVideoFrameCallback(this.#frameCallbackHandle)
    this.#hasFrame = false
    this.#frameCallbackHandle = video.requestVideoFrameCallback((_now, { width, height }) => {
      this.#hasFrame = true
      this.#hooks.onFirstFrame(relay ? 'mse' : 'webrtc', width, height)
    })
    video.play().catch(() => undefined)
  }

  #clearVideo(video: HTMLVideoElement): void {
    video.cancelVideoFrameCallback(this.#frameCallbackHandle)
    this.#hasFrame = false
    this.#relay?.attach(null)
    if (video.srcObject) video.srcObject = null
  }

  /**
   * Draws the current frame beneath the video, because a video is blank for a moment when its source ends or changes.
   */
  #preserveFrame(): void {
    const { video } = this
    if (video?.videoWidth) this.#drawStill(video, video.videoWidth, video.videoHeight)
  }

  #drawStill(picture: CanvasImageSource, width: number, height: number): void {
    const still = this.#still
    if (!still) return
    still.width = width
    still.height = height
    still.getContext('2d')?.drawImage(picture, 0, 0)
  }
}
