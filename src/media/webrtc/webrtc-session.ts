import { FIRST_APPLICATION_CODE, CLOSE_RATE_LIMITED } from '../../../contract/wire/socket-close-codes.ts'
import type { LiveStream } from '../../../contract/live/live-calls.ts'
import { PAGE_CHECKS_PARAMETER } from '../../../contract/wire/constants.ts'
import { RELAY_PARAMETER } from '../../../contract/live/relay-protocol.ts'
import type { CameraStatePayload } from '../../../contract/live/signaling.ts'
import { openSocket } from '../../early/early-socket.ts'
import { createCandidateMessage, createOfferMessage, parseSignal, type Signal } from './kvs-messages.ts'
import { createOffer, createReceiverPeer, type ReceiverPeer } from './peer-connection.ts'
import type { PlaybackFailureReason, ConnectionStep } from '../live/tile-state-machine.ts'

/** Timeout for the answer to an offer. A nearby bridge answers in 20 ms, a distant bridge in a second. */
const ANSWER_TIMEOUT_MS = 5000
/**
 * Timeouts for finding a network path, because the browser may fire no event if it finds none. The longer timeout
 * applies while the connection still checks candidates.
 */
const PATH_TIMEOUT_MS = 2500
const LONG_PATH_TIMEOUT_MS = 7500
const FIRST_FRAME_TIMEOUT_MS = 5000

export interface WebRtcSessionHooks {
  onStep(onStep: Exclude<ConnectionStep, 'playing'>): void
  /** Called with the video, and the audio if the camera has any. */
  onMedia(onMedia: MediaStream): void
  onInset?(media: MediaStream): void
  /** Called with a message of the relay (contract/live/relay-protocol.ts). */
  onRelayMessage(data: ArrayBuffer): void
  onCameraState(onCameraState: CameraStatePayload): void
  /** Called when the rendition `name` was chosen for all viewers. */
  onRenditionChosen(name: string): void
  onFailed(reason: PlaybackFailureReason): void
  /**
   * Called when the signaling socket has closed; media may still flow. `isFinal`: the service has rejected the viewer.
   */
  onSignalingClosed(isFinal: boolean): void
}

/**
 * One attempt to watch one camera: signaling socket and peer connection, without React and without retries. Calls its
 * hooks until `close()` and never afterwards. The socket may also carry the relay.
 */
export class WebRtcSession {
  /** Null before `connect` is called, and in a browser without WebRTC. */
  peer: ReceiverPeer | null = null
  readonly stream: LiveStream
  readonly #socket: WebSocket
  readonly #hooks: WebRtcSessionHooks
  readonly #earlyCandidates: RTCIceCandidateInit[] = []
  readonly #unsentCandidates: RTCIceCandidateInit[] = []
  #offer: string | null = null
  #isOfferSent = false
  #hasLocalCandidate = false
  #hasConnected = false
  #isConnecting = false
  #isWaitingForCamera: boolean
  #timeoutTimer: ReturnType<typeof setTimeout> | undefined
  #isSettled = false
  isPeerDiscarded = false
  #isClosed = false

  /** Opens the signaling socket. `requestsRelay`: also requests video over the relay on that socket. */
  constructor(stream: LiveStream, hooks: WebRtcSessionHooks, requestsRelay: boolean) {
    this.stream = stream
    this.#hooks = hooks
    this.#isWaitingForCamera = stream.battery
    const { socket, bufferedMessages } = openSocket(
      `${stream.signalling_url}&${PAGE_CHECKS_PARAMETER}=1${requestsRelay ? `&${RELAY_PARAMETER}=1` : ''}`,
    )
    this.#socket = socket
    socket.onopen = () => this.#onOpen()
    socket.onmessage = (message: MessageEvent<unknown>) => this.#onMessage(message)
    socket.onclose = ({ code }) => this.#onSocketClose(code)
    if (socket.readyState === WebSocket.OPEN) queueMicrotask(() => this.#replayMissed(bufferedMessages))
  }

  /** Starts WebRTC; a second call does nothing. */
  connect(): void {
    if (!this.#isConnecting) void this.#prepareOffer()
    this.#isConnecting = true
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timeoutTimer)
    closeSocket(this.#socket)
    this.peer?.pc.close()
  }

  /** Closes the peer connection and stops its timeouts; the signaling socket stays open. */
  discardPeer(): void {
    this.isPeerDiscarded = true
    this.#isOfferSent = this.#isConnecting = true
    this.stopTimeouts()
    this.peer?.pc.close()
  }

  send(message: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message)
  }

  async #prepareOffer(): Promise<void> {
    const peer = (this.peer = createReceiverPeer())
    if (!peer) return queueMicrotask(() => this.#fail('no-webrtc'))
    this.#listenToPeer(peer)
    try {
      this.#offer = await createOffer(peer, this.stream)
    } catch {
      return this.#fail('no-h264')
    }
    this.#sendOffer()
  }

  #listenToPeer({ pc, video }: ReceiverPeer): void {
    pc.onicecandidate = ({ candidate }) => {
      if (!candidate?.candidate) return
      this.#hasLocalCandidate = true
      if (this.#isOfferSent) this.send(createCandidateMessage(candidate.toJSON()))
      else this.#unsentCandidates.push(candidate.toJSON())
    }
    // Without a candidate at the end of gathering, this browser or network blocks UDP, and no TURN server is
    // configured.
    pc.onicegatheringstatechange = () => {
      if (pc.iceGatheringState === 'complete' && !this.#hasLocalCandidate) this.#fail('udp-blocked')
    }
    pc.ontrack = ({ track, streams, transceiver }) => {
      if (track.kind !== 'video') return
      const media = streams[0] ?? new MediaStream([track])
      if (transceiver !== video) return this.#hooks.onInset?.(media)
      track.onunmute = () => !this.#isClosed && this.#hooks.onStep('waiting-for-keyframe')
      this.#hooks.onMedia(media)
    }
    pc.onconnectionstatechange = () => {
      if (pc.connectionState === 'connected') this.#onConnected()
      if (pc.connectionState === 'failed') this.#fail(this.#hasConnected ? 'connection-lost' : 'no-path')
    }
  }

  /** Handles the messages that arrived on an early socket before this session used it. */
  #replayMissed(missed: readonly MessageEvent<unknown>[]): void {
    if (this.#isClosed) return
    this.#onOpen()
    for (const message of missed) this.#onMessage(message)
  }

  #onMessage({ data }: MessageEvent<unknown>): void {
    if (this.#isClosed) return
    if (data instanceof ArrayBuffer) this.#hooks.onRelayMessage(data)
    else void this.#onSignal(parseSignal(String(data)))
  }

  #onOpen(): void {
    this.#hooks.onStep('signalling')
    this.#sendOffer()
  }

  #sendOffer(): void {
    if (
      this.#isClosed ||
      this.#isOfferSent ||
      this.#isWaitingForCamera ||
      this.#offer === null ||
      this.#socket.readyState !== WebSocket.OPEN
    )
      return
    this.#isOfferSent = true
    this.send(createOfferMessage(this.#offer, crypto.randomUUID()))
    for (const candidate of this.#unsentCandidates.splice(0)) this.send(createCandidateMessage(candidate))
    this.#startTimeout(ANSWER_TIMEOUT_MS, () => this.#fail('no-answer'))
  }

  async #onSignal(signal: Signal): Promise<void> {
    const pc = this.peer?.pc
    if (signal.kind === 'camera') return this.#onCameraState(signal.camera)
    if (signal.kind === 'chosen') return this.#hooks.onRenditionChosen(signal.name)
    if (!pc) return
    try {
      if (signal.kind === 'answer') await this.#acceptAnswer(pc, signal.sdp)
      else if (signal.kind === 'candidate' && !pc.remoteDescription) this.#earlyCandidates.push(signal.candidate)
      else if (signal.kind === 'candidate') await pc.addIceCandidate(signal.candidate)
    } catch {
      // The message is a candidate for an earlier answer, or an answer after closing. This is not an error: a failed
      // connection runs into a timeout.
    }
  }

  async #acceptAnswer(pc: RTCPeerConnection, sdp: string): Promise<void> {
    if (pc.signalingState !== 'have-local-offer') return
    this.#hooks.onStep('answered')
    this.#startTimeout(PATH_TIMEOUT_MS, () => this.#checkPath())
    await pc.setRemoteDescription({ type: 'answer', sdp })
    await Promise.all(this.#earlyCandidates.splice(0).map((candidate) => pc.addIceCandidate(candidate)))
  }

  #checkPath(): void {
    if (this.peer?.pc.iceConnectionState !== 'checking') return this.#failPath()
    this.#startTimeout(LONG_PATH_TIMEOUT_MS - PATH_TIMEOUT_MS, () => this.#failPath())
  }

  /**
   * Reports a missing network path. The reason is blocked UDP only if the browser gathered no candidate. With a
   * candidate, a slow machine may be the cause.
   */
  #failPath(): void {
    this.#fail(this.#hasLocalCandidate ? 'no-path' : 'udp-blocked')
  }

  #onConnected(): void {
    this.#hasConnected = true
    this.#hooks.onStep('connected')
    this.#startTimeout(FIRST_FRAME_TIMEOUT_MS, () => this.#fail('no-picture'))
  }

  /** Stops the current timeout and prevents later ones. Call this when the first frame is on the screen. */
  stopTimeouts(): void {
    this.#isSettled = true
    clearTimeout(this.#timeoutTimer)
  }

  #onCameraState(camera: CameraStatePayload): void {
    const connected = this.peer?.pc.connectionState === 'connected'
    if (camera.state !== 'awake' && !connected) clearTimeout(this.#timeoutTimer)
    this.#hooks.onCameraState(camera)
    if (camera.state !== 'awake' || this.#isClosed) return
    this.#isWaitingForCamera = false
    if (this.#isOfferSent && this.peer?.pc.signalingState === 'have-local-offer')
      this.#startTimeout(ANSWER_TIMEOUT_MS, () => this.#fail('no-answer'))
    else this.#sendOffer()
  }

  #onSocketClose(code: number): void {
    const isFinal = code === 1008 || (code >= FIRST_APPLICATION_CODE && code !== CLOSE_RATE_LIMITED)
    this.#hooks.onSignalingClosed(isFinal)
  }

  #fail(reason: PlaybackFailureReason): void {
    if (!this.#isClosed) this.#hooks.onFailed(reason)
  }

  /**
   * Replaces the current timeout. After `stopTimeouts`, starts none: the browser may report the connection after the
   * first frame.
   */
  #startTimeout(ms: number, onTimeout: () => void): void {
    clearTimeout(this.#timeoutTimer)
    if (!this.#isSettled) this.#timeoutTimer = setTimeout(onTimeout, ms)
  }
}

/** Closes a socket. A connecting socket closes after it opens: Firefox logs an error if the connection is aborted. */
export function closeSocket(socket: WebSocket): void {
  socket.onmessage = socket.onclose = null
  socket.onopen = () => socket.close()
  if (socket.readyState > WebSocket.CONNECTING) socket.close()
}
