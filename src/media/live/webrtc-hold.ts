/** Maximum time that WebRTC of a camera waits, ms. Usually the relays of all visible cameras play sooner. */
export const WEBRTC_HOLD_MS = 700

const holds = new Set<WebRtcHold>()

/**
 * Holds WebRTC of one camera back while the relay of any camera on the page waits for its first frame. Negotiating WebRTC
 * earlier would delay these frames, because it loads the browser and the hub.
 */
export class WebRtcHold {
  readonly #connect: () => void
  readonly #timer = setTimeout(() => this.release(), WEBRTC_HOLD_MS)
  #isRelayStarting = true

  constructor(connect: () => void) {
    this.#connect = connect
    holds.add(this)
  }

  /** Call when this camera's relay shows a frame, or when the camera is not awake. */
  settle(): void {
    this.#isRelayStarting = false
    WebRtcHold.#releaseSettled()
  }

  /** Connects now. */
  release(): void {
    this.#remove()
    this.#connect()
    WebRtcHold.#releaseSettled()
  }

  /** Ends the hold without connecting. */
  cancel(): void {
    this.#remove()
    WebRtcHold.#releaseSettled()
  }

  #remove(): void {
    clearTimeout(this.#timer)
    holds.delete(this)
  }

  static #releaseSettled(): void {
    if ([...holds].some((hold) => hold.#isRelayStarting)) return
    for (const hold of holds) hold.release()
  }
}
