import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import {
  EXTRA_TRACK_OFFSETS,
  CLOSE_RELAY_ENDED,
  CLOSE_RELAY_NO_VIEWERS,
  type ExtraTrackName,
  type ViewerRelayMessage,
} from '../../contract/live/relay-protocol.ts'
import { createSocketPair, listOpenSockets } from '../platform/sockets/websocket-upgrade.ts'
import { RelayStreams } from './relay-streams.ts'
import {
  canRequestStream,
  updateViewerAttachment,
  readViewerAttachment,
  listRequestedStreams,
} from './viewer-attachment.ts'

export const VIEWER_TAG = 'viewer'
const SOURCE_TAG = 'source'
export const LOWEST_RENDITION = ''
const EXTRA_TRACKS = Object.keys(EXTRA_TRACK_OFFSETS) as ExtraTrackName[]

interface CameraRelayPorts {
  isAwake(): boolean
  forwardToBridge(bridge: string, message: Extract<ProviderMessage, { type: 'command' }>): Promise<unknown>
}

/**
 * Relays one camera's video to viewers that cannot use WebRTC. The bridge opens one socket (a source) per requested
 * rendition or extra track.
 */
export class CameraRelay {
  readonly #ctx: DurableObjectState
  readonly #ports: CameraRelayPorts
  readonly #streams = new RelayStreams()
  /**
   * Names of streams whose restart this object has requested since it woke up. A stream must restart after hibernation,
   * because the initialization segment is lost.
   */
  readonly #restartedSources = new Set<string>()

  constructor(ctx: DurableObjectState, ports: CameraRelayPorts) {
    this.#ctx = ctx
    this.#ports = ports
  }

  /**
   * Accepts the bridge's socket for a rendition or an extra track. Closes an earlier socket for the same stream. Closes
   * the new socket if no viewer needs the stream.
   */
  openSource(name: string): Response {
    const { server, answer } = createSocketPair()
    this.#closeSource(name, CLOSE_RELAY_ENDED, 'Another socket replaced this one.')
    this.#ctx.acceptWebSocket(server, [SOURCE_TAG, toSourceTag(name)])
    if (!this.#isWatched(name)) server.close(CLOSE_RELAY_NO_VIEWERS, 'No one is watching.')
    return answer
  }

  isSource(socket: WorkerSocket): boolean {
    return this.#ctx.getTags(socket)[0] === SOURCE_TAG
  }

  hasSources(): boolean {
    return listOpenSockets(this.#ctx, SOURCE_TAG).length > 0
  }

  closeAllSources(reason: string): void {
    for (const name of this.#listSourceNames()) this.#closeSource(name, CLOSE_RELAY_ENDED, reason)
  }

  /**
   * Requests the stream again if the closed source had sent video. If it had not, the viewers retry. Does nothing if a
   * newer source sends the stream.
   */
  async handleSourceClose(source: WorkerSocket): Promise<void> {
    const name = this.#getSourceName(source)
    if (listOpenSockets(this.#ctx, toSourceTag(name)).length > 0) return
    const hadVideo = this.#streams.removeSource(name)
    if (hadVideo) await this.#requestRelay(name)
  }

  async relaySourceMessage(source: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    const name = this.#getSourceName(source)
    const feedResult =
      typeof data === 'string'
        ? 'malformed'
        : this.#streams.feed(name, data, this.#listStreamViewerSockets(name), Date.now())
    if (feedResult === 'malformed') source.close(1007, 'The message is malformed.')
    if (feedResult === 'turned') this.#closeUnwatchedSources()
    if (feedResult === 'unstarted' && !this.#restartedSources.has(name)) {
      this.#restartedSources.add(name)
      await this.#requestRelay(name)
    }
  }

  /** Sends the lowest rendition to a new viewer, and requests it from the bridge if necessary. */
  addViewer(socket: WorkerSocket): void {
    if (!this.#streams.addViewer(LOWEST_RENDITION, socket, Date.now()))
      this.#ctx.waitUntil(this.#requestRelay(LOWEST_RENDITION))
  }

  removeViewer(socket: WorkerSocket): void {
    this.#streams.removeViewer(socket)
    this.#closeUnwatchedSources()
  }

  async handleViewerMessage(socket: WorkerSocket, message: ViewerRelayMessage): Promise<void> {
    if (message.action === 'RELAY_ACK') return this.#streams.acknowledge(socket, message.received)
    if (message.action === 'RELAY_RENDITION') return this.#selectRendition(socket, message.name)
    if (message.action === 'RELAY_BESIDE') return this.#selectExtraTracks(socket, message)
    updateViewerAttachment(socket, { relay: false })
    this.removeViewer(socket)
  }

  /** Requests from the bridge every stream that at least one viewer has requested. */
  async requestAllRelays(): Promise<void> {
    const names = new Set(this.#listAllViewerSockets().flatMap(listRequestedStreams))
    await Promise.all([...names].map((name) => this.#requestRelay(name)))
  }

  /**
   * Requests that the bridge starts or restarts a stream. Does nothing if no viewer requests the stream, or if the
   * camera is not awake.
   */
  async #requestRelay(name: string): Promise<void> {
    const socket = this.#listAllViewerSockets().find((viewerSocket) =>
      listRequestedStreams(viewerSocket).includes(name),
    )
    if (!socket || !this.#ports.isAwake()) return
    const { bridge, device } = readViewerAttachment(socket)
    const command = { type: 'command', device_id: device, command: 'relay' } as const
    await this.#ports.forwardToBridge(bridge, name === LOWEST_RENDITION ? command : { ...command, rendition: name })
  }

  /**
   * Requests another rendition for the viewer. The viewer gets the previous rendition until the new one has started.
   */
  async #selectRendition(socket: WorkerSocket, rendition: string): Promise<void> {
    const viewer = readViewerAttachment(socket)
    if (!viewer.relay || viewer.rendition === rendition || !canRequestStream(viewer, rendition)) return
    updateViewerAttachment(socket, { rendition })
    if (this.#streams.hasViewer(rendition, socket) || this.#streams.addViewer(rendition, socket, Date.now()))
      this.#closeUnwatchedSources()
    else await this.#requestRelay(rendition)
  }

  async #selectExtraTracks(socket: WorkerSocket, selection: Record<ExtraTrackName, boolean>): Promise<void> {
    if (!readViewerAttachment(socket).relay) return
    const extraTracks = EXTRA_TRACKS.filter((name) => selection[name])
    updateViewerAttachment(socket, { beside: extraTracks })
    for (const name of EXTRA_TRACKS) if (!selection[name]) this.#streams.removeViewerFromStream(name, socket)
    this.#closeUnwatchedSources()
    for (const name of extraTracks)
      if (!this.#streams.hasViewer(name, socket) && !this.#streams.addViewer(name, socket, Date.now()))
        await this.#requestRelay(name)
  }

  #closeUnwatchedSources(): void {
    for (const name of this.#listSourceNames())
      if (!this.#isWatched(name)) this.#closeSource(name, CLOSE_RELAY_NO_VIEWERS, 'No one is watching.')
  }

  #closeSource(name: string, code: number, reason: string): void {
    for (const source of listOpenSockets(this.#ctx, toSourceTag(name))) source.close(code, reason)
    this.#streams.removeSource(name)
  }

  #listSourceNames(): string[] {
    return listOpenSockets(this.#ctx, SOURCE_TAG).map((socket) => this.#getSourceName(socket))
  }

  #getSourceName(source: WorkerSocket): string {
    return (this.#ctx.getTags(source)[1] ?? toSourceTag(LOWEST_RENDITION)).slice(toSourceTag('').length)
  }

  #isWatched(name: string): boolean {
    return this.#listStreamViewerSockets(name).length > 0
  }

  /**
   * Returns the sockets of viewers that request this stream, and of viewers that get it until their requested rendition
   * starts.
   */
  #listStreamViewerSockets(name: string): WorkerSocket[] {
    return this.#listAllViewerSockets().filter(
      (socket) => listRequestedStreams(socket).includes(name) || this.#streams.hasViewer(name, socket),
    )
  }

  #listAllViewerSockets(): WorkerSocket[] {
    return listOpenSockets(this.#ctx, VIEWER_TAG)
  }
}

const toSourceTag = (name: string) => `source:${name}`
