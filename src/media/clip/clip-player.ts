/** State of a player; times in seconds. */
export interface PlayerState {
  readonly playing: boolean
  readonly time: number
  /** 0 until the clip's length is known. */
  readonly duration: number
  readonly buffered: number
  readonly rate: number
  readonly muted: boolean
  readonly hasSound: boolean
  /** True while playback waits for data. */
  readonly waiting: boolean
  readonly failed: boolean
  readonly loop: boolean
}

export const IDLE_PLAYER_STATE: PlayerState = {
  playing: false,
  time: 0,
  duration: 0,
  buffered: 0,
  rate: 1,
  muted: true,
  hasSound: false,
  waiting: true,
  failed: false,
  loop: false,
}

/** Assumed frame rate of the cameras. With another rate, a step can show the same frame again or skip frames. */
export const CLIP_FPS = 15
const toFrame = (seconds: number) => Math.floor(seconds * CLIP_FPS)

export const PLAYBACK_RATES = [0.5, 1, 2, 4] as const

const VIDEO_EVENTS = [
  'play',
  'pause',
  'ended',
  'timeupdate',
  'durationchange',
  'progress',
  'ratechange',
  'volumechange',
  'waiting',
  'playing',
  'seeking',
  'seeked',
  'loadeddata',
  'emptied',
  'error',
] as const

/** Browser-specific properties that tell if a clip has audio. */
type VideoWithAudioInfo = HTMLVideoElement & {
  mozHasAudio?: boolean
  webkitAudioDecodedByteCount?: number
  audioTracks?: { length: number }
}

/** Controls one `<video>` element and publishes its state, so that React components only render the state. */
export class ClipPlayer {
  state: PlayerState = IDLE_PLAYER_STATE
  #video: HTMLVideoElement | null = null
  #animationFrame = 0
  #hasLoadFailed = false
  #isStale = false
  readonly #listeners = new Set<() => void>()

  /** Takes control of `video`; returns a detach function. */
  attach(video: HTMLVideoElement): () => void {
    this.#video = video
    for (const name of VIDEO_EVENTS) video.addEventListener(name, this.#markStale)
    // A preloaded video may have loaded data, or failed, before these listeners.
    this.#updateState()
    this.#tick()
    return () => {
      cancelAnimationFrame(this.#animationFrame)
      for (const name of VIDEO_EVENTS) video.removeEventListener(name, this.#markStale)
      this.#video = null
      this.#hasLoadFailed = false
      this.state = IDLE_PLAYER_STATE
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): PlayerState => this.state

  togglePlayback(): void {
    const video = this.#video
    if (!video) return
    if (!video.paused && !video.ended) return video.pause()
    void video.play().catch(() => undefined)
  }

  /** Seeks to `seconds` from the start, clamped to the clip. */
  seek(seconds: number): void {
    const video = this.#video
    if (!video || !Number.isFinite(video.duration)) return
    video.currentTime = Math.min(Math.max(0, seconds), video.duration)
    this.#updateState()
  }

  skip(seconds: number): void {
    this.seek((this.#video?.currentTime ?? 0) + seconds)
  }

  /** Switches to the next faster speed; after the fastest, to the slowest. */
  cycleRate(): void {
    const video = this.#video
    if (!video) return
    video.playbackRate = PLAYBACK_RATES.find((rate) => rate > video.playbackRate) ?? PLAYBACK_RATES[0]
  }

  toggleLoop(): void {
    const video = this.#video
    if (!video) return
    video.loop = !video.loop
    this.#updateState()
  }

  /** Pauses and moves by `frames` frames, backward if negative. `fps`: frame rate of the clip. */
  step(frames: number, fps: number): void {
    this.#video?.pause()
    this.skip(frames / fps)
  }

  /** Sets `failed` in the state. Called when hls.js cannot play the playlist. */
  readonly markFailed = (): void => {
    this.#hasLoadFailed = true
    this.#updateState()
  }

  toggleSound(): void {
    if (this.#video) this.#video.muted = !this.#video.muted
  }

  async togglePictureInPicture(): Promise<void> {
    if (document.pictureInPictureElement) await document.exitPictureInPicture()
    else await this.#video?.requestPictureInPicture()
  }

  readonly #markStale = (): void => {
    this.#isStale = true
  }

  /**
   * Updates the state at most once per animation frame. An opening video fires up to ten events, and a render for each
   * would delay its first frame. `timeupdate` fires too rarely for a smooth scrubber, so the time is read every frame,
   * and published once per frame of the clip.
   */
  readonly #tick = (): void => {
    this.#animationFrame = requestAnimationFrame(this.#tick)
    const video = this.#video
    const hasMoved = video && !video.paused && toFrame(video.currentTime) !== toFrame(this.state.time)
    if (this.#isStale || hasMoved) this.#updateState()
  }

  readonly #updateState = (): void => {
    const video = this.#video
    if (!video) return
    this.#isStale = false
    const state: PlayerState = {
      playing: !video.paused && !video.ended,
      time: video.currentTime,
      duration: Number.isFinite(video.duration) ? video.duration : 0,
      buffered: video.buffered.length > 0 ? video.buffered.end(video.buffered.length - 1) : 0,
      rate: video.playbackRate,
      muted: video.muted,
      hasSound: this.state.hasSound || hasSound(video),
      waiting: video.error === null && video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA,
      failed: this.#hasLoadFailed || video.error !== null,
      loop: video.loop,
    }
    const keys = Object.keys(state) as (keyof PlayerState)[]
    if (keys.every((key) => state[key] === this.state[key])) return
    this.state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Returns true if the browser has detected audio in the clip. The result may be false until the clip plays. */
export function hasSound(video: VideoWithAudioInfo): boolean {
  return (
    video.mozHasAudio === true || (video.webkitAudioDecodedByteCount ?? 0) > 0 || (video.audioTracks?.length ?? 0) > 0
  )
}
