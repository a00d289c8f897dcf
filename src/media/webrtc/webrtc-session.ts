import { FIRST_OWN_CODE, FLOODED } from '../../../contract/wire/socket-close-codes.ts'
import type { Stream } from '../../../contract/live/live-calls.ts'
import { RELAY_PARAMETER } from '../../../contract/live/relay-protocol.ts'
import type { CameraStatePayload } from '../../../contract/live/signaling.ts'
import { closeSocket } from './close-socket.ts'
import { openSocket } from '../../early/early-socket.ts'
import { candidateMessage, offerMessage, readSignal, type Signal } from './kvs-messages.ts'
import { makeOffer, makePeer, type Peer } from './peer-connection.ts'
import type { Reason, Step } from '../live/tile-state-machine.ts'

/** The bridge answers an offer in 20 ms; a far one in a second. */
const ANSWER_MS = 5000
/** Where no path is found there is no event at all: one that is still being checked gets longer. */
const PATH_MS = 2500
const LONG_PATH_MS = 7500
const PICTURE_MS = 5000

export interface SessionHooks {
  step(step: Exclude<Step, 'playing'>): void
  /** The picture, and the sound where the camera has some. */
  media(media: MediaStream): void
  /** The second picture of a dual camera. */
  inset?(media: MediaStream): void
  /** A message of the relay, as contract/live/relay-protocol.ts has it. */
  relay(data: ArrayBuffer): void
  camera(camera: CameraStatePayload): void
  /** This rendition was chosen for all who watch. */
  chosen(name: string): void
  failed(reason: Reason): void
  /** The signalling socket has gone; media may still flow. `final`: the service wants the viewer gone. */
  signallingClosed(final: boolean): void
}

/**
 * One attempt to watch one camera: signalling socket and peer connection, without React and without a second try. It
 * reports through its hooks until `close()`, after which nothing of it runs and no hook is called. Its socket may also
 * bring pictures.
 */
export class WebRtcSession {
  /** Null until `connect`, and where there is no WebRTC. */
  peer: Peer | null = null
  readonly stream: Stream
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
  /** No peer connection came about. */
  isDropped = false
  private closed = false

  /** `relay`: pictures are wanted on the socket. */
  constructor(stream: Stream, hooks: SessionHooks, relay: boolean) {
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

  /** Begins with WebRTC; a second call does nothing. */
  connect(): void {
    if (!this.connecting) void this.prepare()
    this.connecting = true
  }

  /** Ends everything at once. */
  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    closeSocket(this.socket)
    this.peer?.pc.close()
  }

  /** Ends the peer connection; the socket stays. */
  dropPeer(): void {
    this.isDropped = true
    this.offered = this.connecting = true
    this.settled()
    this.peer?.pc.close()
  }

  /** Sends something beside the signalling, if there still is a socket. */
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

  private listenToPeer({ pc, video }: Peer): void {
    pc.onicecandidate = ({ candidate }) => {
      if (!candidate?.candidate) return
      this.hasPath = true
      if (this.offered) this.send(candidateMessage(candidate.toJSON()))
      else this.unsent.push(candidate.toJSON())
    }
    // Nothing gathered: this browser or network lets no UDP out, and no server that would help is configured.
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

  /** What a socket that was opened early has missed its user for. */
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
      // A candidate of a former answer, or an answer after closing: the timers decide.
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

  /** Blocked UDP is known only where this browser could gather no candidate; else a busy machine looks the same. */
  private failPath(): void {
    this.fail(this.hasPath ? 'no-path' : 'udp-blocked')
  }

  private onConnected(): void {
    this.hasConnected = true
    this.hooks.step('connected')
    this.wait(PICTURE_MS, () => this.fail('no-picture'))
  }

  /** The first frame is on the screen: nothing more to wait for. */
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

  /** The browser may tell of the connection after the first frame that came over it. */
  private wait(ms: number, then: () => void): void {
    clearTimeout(this.timer)
    if (!this.isSettled) this.timer = setTimeout(then, ms)
  }
}
