import { FIRST_OWN_CODE, FLOODED } from '../../../contract/wire/socket-close-codes.ts'
import type { LiveStream } from '../../../contract/live/live-calls.ts'
import { RELAY_PARAMETER } from '../../../contract/live/relay-protocol.ts'
import type { CameraStatePayload } from '../../../contract/live/signaling.ts'
import { closeSocket } from './close-socket.ts'
import { openSocket } from '../../early/early-socket.ts'
import { candidateMessage, offerMessage, readSignal, type Signal } from './kvs-messages.ts'
import { makeOffer, makePeer, type ReceiverPeer } from './peer-connection.ts'
import type { Reason, ConnectionStep } from '../live/tile-state-machine.ts'

/** Timeout for the answer to an offer. A bridge answers in 20 ms, a distant one in a second. */
const ANSWER_MS = 5000
/**
 * Timeouts for finding a network path, because the browser fires no event if it finds none. A connection that is still
 * checking candidates gets the longer one.
 */
const PATH_MS = 2500
const LONG_PATH_MS = 7500
const PICTURE_MS = 5000

export interface SessionHooks {
  step(step: Exclude<ConnectionStep, 'playing'>): void
  /** Called with the video, and the audio if the camera has any. */
  media(media: MediaStream): void
  inset?(media: MediaStream): void
  /** Called with a message of the relay (contract/live/relay-protocol.ts). */
  relay(data: ArrayBuffer): void
  camera(camera: CameraStatePayload): void
  /** Called when this rendition was chosen for all viewers. */
  chosen(name: string): void
  failed(reason: Reason): void
  /**
   * Called when the signaling socket has closed; media may still flow. `final`: the service has rejected the viewer.
   */
  signallingClosed(final: boolean): void
}

/**
 * One attempt to watch one camera: signaling socket and peer connection, without React and without retries. Calls its
 * hooks until `close()` and never afterwards. The socket may also carry the relay.
 */
export class WebRtcSession {
  /** Null until `connect`, and without WebRTC. */
  peer: ReceiverPeer | null = null
  readonly stream: LiveStream
  private readonly socket: WebSocket
  private readonly hooks: SessionHooks
  private readonly early: RTCIceCandidateInit[] = []
  private readonly unsent: RTCIceCandidateInit[] = []
  private offer: string | null = null
  private offered = false
  private hasPath = false
  private hasConnected = false
  private connecting = false
  private held: boolean
  private timer: ReturnType<typeof setTimeout> | undefined
  private isSettled = false
  isDropped = false
  private closed = false

  /** Opens the signaling socket. `relay`: also requests video over the relay on that socket. */
  constructor(stream: LiveStream, hooks: SessionHooks, relay: boolean) {
    this.stream = stream
    this.hooks = hooks
    this.held = stream.battery
    const { socket, missed } = openSocket(stream.signalling_url + (relay ? `&${RELAY_PARAMETER}=1` : ''))
    this.socket = socket
    socket.onopen = () => this.onOpen()
    socket.onmessage = (message: MessageEvent<unknown>) => this.onMessage(message)
    socket.onclose = ({ code }) => this.onSocketClose(code)
    if (socket.readyState === WebSocket.OPEN) queueMicrotask(() => this.catchUp(missed))
  }

  /** Starts WebRTC; a second call does nothing. */
  connect(): void {
    if (!this.connecting) void this.prepare()
    this.connecting = true
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    closeSocket(this.socket)
    this.peer?.pc.close()
  }

  /** Closes the peer connection; the socket stays. */
  dropPeer(): void {
    this.isDropped = true
    this.offered = this.connecting = true
    this.settled()
    this.peer?.pc.close()
  }

  send(message: string): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message)
  }

  private async prepare(): Promise<void> {
    const peer = (this.peer = makePeer())
    if (!peer) return queueMicrotask(() => this.fail('no-webrtc'))
    this.listenToPeer(peer)
    try {
      this.offer = await makeOffer(peer, this.stream)
    } catch {
      return this.fail('no-h264')
    }
    this.sendOffer()
  }

  private listenToPeer({ pc, video }: ReceiverPeer): void {
    pc.onicecandidate = ({ candidate }) => {
      if (!candidate?.candidate) return
      this.hasPath = true
      if (this.offered) this.send(candidateMessage(candidate.toJSON()))
      else this.unsent.push(candidate.toJSON())
    }
    // If gathering ends without a candidate, this browser or network blocks UDP, and no TURN server is configured.
    pc.onicegatheringstatechange = () => {
      if (pc.iceGatheringState === 'complete' && !this.hasPath) this.fail('udp-blocked')
    }
    pc.ontrack = ({ track, streams, transceiver }) => {
      if (track.kind !== 'video') return
      const media = streams[0] ?? new MediaStream([track])
      if (transceiver !== video) return this.hooks.inset?.(media)
      track.onunmute = () => !this.closed && this.hooks.step('waiting-for-keyframe')
      this.hooks.media(media)
    }
    pc.onconnectionstatechange = () => {
      if (pc.connectionState === 'connected') this.onConnected()
      if (pc.connectionState === 'failed') this.fail(this.hasConnected ? 'connection-lost' : 'no-path')
    }
  }

  /** Handles the messages that arrived on an early socket before this session used it. */
  private catchUp(missed: readonly MessageEvent<unknown>[]): void {
    if (this.closed) return
    this.onOpen()
    for (const message of missed) this.onMessage(message)
  }

  private onMessage({ data }: MessageEvent<unknown>): void {
    if (this.closed) return
    if (data instanceof ArrayBuffer) this.hooks.relay(data)
    else void this.hear(readSignal(String(data)))
  }

  private onOpen(): void {
    this.hooks.step('signalling')
    this.sendOffer()
  }

  private sendOffer(): void {
    if (this.closed || this.offered || this.held || this.offer === null || this.socket.readyState !== WebSocket.OPEN)
      return
    this.offered = true
    this.send(offerMessage(this.offer, crypto.randomUUID()))
    for (const candidate of this.unsent.splice(0)) this.send(candidateMessage(candidate))
    this.wait(ANSWER_MS, () => this.fail('no-answer'))
  }

  private async hear(signal: Signal): Promise<void> {
    const pc = this.peer?.pc
    if (signal.kind === 'camera') return this.onCamera(signal.camera)
    if (signal.kind === 'chosen') return this.hooks.chosen(signal.name)
    if (!pc) return
    try {
      if (signal.kind === 'answer') await this.accept(pc, signal.sdp)
      else if (signal.kind === 'candidate' && !pc.remoteDescription) this.early.push(signal.candidate)
      else if (signal.kind === 'candidate') await pc.addIceCandidate(signal.candidate)
    } catch {
      // A candidate for an earlier answer, or an answer after closing. Not an error: the timeouts decide.
    }
  }

  private async accept(pc: RTCPeerConnection, sdp: string): Promise<void> {
    if (pc.signalingState !== 'have-local-offer') return
    this.hooks.step('answered')
    this.wait(PATH_MS, () => this.checkPath())
    await pc.setRemoteDescription({ type: 'answer', sdp })
    await Promise.all(this.early.splice(0).map((candidate) => pc.addIceCandidate(candidate)))
  }

  private checkPath(): void {
    if (this.peer?.pc.iceConnectionState !== 'checking') return this.failPath()
    this.wait(LONG_PATH_MS - PATH_MS, () => this.failPath())
  }

  /** Reports blocked UDP only if the browser gathered no candidate. With a candidate, a busy machine looks the same. */
  private failPath(): void {
    this.fail(this.hasPath ? 'no-path' : 'udp-blocked')
  }

  private onConnected(): void {
    this.hasConnected = true
    this.hooks.step('connected')
    this.wait(PICTURE_MS, () => this.fail('no-picture'))
  }

  /** Stops the timers once the first frame is on the screen. */
  settled(): void {
    this.isSettled = true
    clearTimeout(this.timer)
  }

  private onCamera(camera: CameraStatePayload): void {
    const connected = this.peer?.pc.connectionState === 'connected'
    if (camera.state !== 'awake' && !connected) clearTimeout(this.timer)
    this.hooks.camera(camera)
    if (camera.state !== 'awake' || this.closed) return
    this.held = false
    if (this.offered && this.peer?.pc.signalingState === 'have-local-offer')
      this.wait(ANSWER_MS, () => this.fail('no-answer'))
    else this.sendOffer()
  }

  private onSocketClose(code: number): void {
    const final = code === 1008 || (code >= FIRST_OWN_CODE && code !== FLOODED)
    this.hooks.signallingClosed(final)
  }

  private fail(reason: Reason): void {
    if (!this.closed) this.hooks.failed(reason)
  }

  /**
   * Starts a timeout, unless a frame is already on the screen: the browser may report the connection after its first
   * frame.
   */
  private wait(ms: number, then: () => void): void {
    clearTimeout(this.timer)
    if (!this.isSettled) this.timer = setTimeout(then, ms)
  }
}
