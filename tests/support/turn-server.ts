import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket as Stream } from 'node:net'
import { classes, makeIntegrityKey, Message, methods, parseMessage } from 'werift'

const TURN_HOST = '127.0.0.1'
const REALM = 'porchlight.test'
const UDP_PROTOCOL = 0x11000000
const ALLOCATION_LIFETIME_S = 600
const CHANNEL_RANGE = { first: 0x4000, last: 0x7ffe }

type Address = [host: string, port: number]
type PasswordsByUser = Readonly<Record<string, string>>
type Attribute = Parameters<Message['setAttribute']>[0]

/** Allocation of one client (RFC 8656): its relay socket, permissions and channels. */
interface Allocation {
  readonly user: string
  readonly client: Address
  readonly relay: Socket
  readonly listening: Promise<unknown>
  /** Transaction id of the request that created the allocation. It identifies a retransmission of that request. */
  readonly transactionId: string
  readonly permittedPeers: Set<string>
  readonly channels: Map<number, Address>
  expiry: NodeJS.Timeout | undefined
}

interface AuthenticatedRequest {
  readonly message: Message
  readonly user: string
  readonly key: Buffer
  readonly from: Address
}

const formatAddress = ([host, port]: Address) => `${host}:${port}`
const toAddress = ({ address, port }: RemoteInfo): Address => [address, port]

/**
 * Local TURN server (RFC 8656) over UDP and TCP, with long-term credentials. Permissions include the port: all peers on
 * one machine have the same host, so a permission for the host alone would allow all peers.
 */
export class TurnServer {
  allocationCount = 0
  /** Number of requests with wrong credentials. */
  rejectedRequestCount = 0
  /** Number of datagrams, from or to peers, that were dropped because the peer has no permission. */
  droppedDatagramCount = 0
  readonly #users: PasswordsByUser
  readonly #socket = createSocket('udp4')
  readonly #server = createServer((stream) => this.#acceptStream(stream))
  readonly #streams = new Map<string, Stream>()
  readonly #nonce = Buffer.from(crypto.randomUUID())
  readonly #allocations = new Map<string, Allocation>()
  readonly #relayedBytes = new Map<string, number>()

  private constructor(users: PasswordsByUser) {
    this.#users = users
    this.#socket.on('message', (data, from) => this.#handlePacket(data, toAddress(from)))
  }

  static async open(users: PasswordsByUser): Promise<TurnServer> {
    const server = new TurnServer(users)
    server.#socket.bind(0, TURN_HOST)
    await once(server.#socket, 'listening')
    server.#server.listen(0, TURN_HOST)
    await once(server.#server, 'listening')
    return server
  }

  get url(): string {
    return `turn:${formatAddress([TURN_HOST, this.#socket.address().port])}?transport=udp`
  }

  get tcpUrl(): string {
    return `turn:${formatAddress([TURN_HOST, (this.#server.address() as AddressInfo).port])}?transport=tcp`
  }

  /** Returns the bytes that a user's allocations have relayed, in both directions. */
  getRelayedBytes(user: string): number {
    return this.#relayedBytes.get(user) ?? 0
  }

  close(): void {
    for (const allocation of this.#allocations.values()) this.#deleteAllocation(allocation)
    for (const stream of this.#streams.values()) stream.destroy()
    this.#server.close()
    this.#socket.close()
  }

  #acceptStream(stream: Stream): void {
    const from: Address = [stream.remoteAddress ?? TURN_HOST, stream.remotePort ?? 0]
    let rest: Buffer = Buffer.alloc(0)
    this.#streams.set(formatAddress(from), stream)
    stream.on('error', () => undefined)
    stream.on('close', () => {
      this.#streams.delete(formatAddress(from))
      const allocation = this.#allocations.get(formatAddress(from))
      if (allocation) this.#deleteAllocation(allocation)
    })
    stream.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data])
      for (let size = computeFrameSize(rest); size <= rest.length; size = computeFrameSize(rest)) {
        this.#handlePacket(rest.subarray(0, size), from)
        rest = rest.subarray(size)
      }
    })
  }

  #handlePacket(data: Buffer, from: Address): void {
    const allocation = this.#allocations.get(formatAddress(from))
    if (((data[0] ?? 0) & 0xc0) === 0x40) return allocation && this.#relayChannelData(allocation, data)
    const message = parseMessage(data)
    if (message?.messageClass === classes.INDICATION && message.messageMethod === methods.SEND) {
      const peer = message.getAttributeValue('XOR-PEER-ADDRESS') as Address
      const payload = message.getAttributeValue('DATA') as Buffer
      return allocation && this.#sendToPeer(allocation, peer, payload)
    }
    if (message?.messageClass !== classes.REQUEST) return
    if (message.messageMethod === methods.BINDING) {
      const answer = new Message(methods.BINDING, classes.RESPONSE, message.transactionId)
      return this.#sendMessage(from, answer.setAttribute('XOR-MAPPED-ADDRESS', from))
    }
    const request = this.#authenticate(message, data, from)
    if (request) void this.#handleRequest(request, allocation)
  }

  /**
   * Returns the request if its nonce is current and its password is correct. Otherwise, answers 401 with realm and
   * nonce, and returns undefined.
   */
  #authenticate(message: Message, data: Buffer, from: Address): AuthenticatedRequest | undefined {
    const user = String(message.getAttributeValue('USERNAME') ?? '')
    const password = this.#users[user]
    const nonce = message.getAttributeValue('NONCE') as Buffer | undefined
    const key = password === undefined ? undefined : makeIntegrityKey(user, REALM, password)
    if (key && nonce?.equals(this.#nonce) && parseMessage(data, key)) return { message, user, key, from }
    if (nonce) this.rejectedRequestCount++
    const answer = new Message(message.messageMethod, classes.ERROR, message.transactionId)
    answer.setAttribute('ERROR-CODE', [401, 'Unauthorized'])
    this.#sendMessage(from, answer.setAttribute('REALM', REALM).setAttribute('NONCE', this.#nonce))
    return undefined
  }

  #handleRequest(request: AuthenticatedRequest, allocation: Allocation | undefined): void | Promise<void> {
    const { message, user } = request
    if (message.messageMethod === methods.ALLOCATE) return this.#allocate(request, allocation)
    if (!allocation) return this.#sendError(request, 437, 'Allocation Mismatch')
    if (allocation.user !== user) return this.#sendError(request, 441, 'Wrong Credentials')
    if (message.messageMethod === methods.REFRESH) return this.#refresh(request, allocation)
    const peer = message.getAttributeValue('XOR-PEER-ADDRESS') as Address | undefined
    if (!peer) return this.#sendError(request, 400, 'Bad Request')
    if (message.messageMethod === methods.CHANNEL_BIND && !bindChannel(allocation, message, peer))
      return this.#sendError(request, 400, 'Bad Request')
    allocation.permittedPeers.add(formatAddress(peer))
    this.#sendSuccess(request)
  }

  async #allocate(request: AuthenticatedRequest, existing: Allocation | undefined): Promise<void> {
    const { message, from } = request
    if (message.getAttributeValue('REQUESTED-TRANSPORT') !== UDP_PROTOCOL)
      return this.#sendError(request, 442, 'Unsupported Transport Protocol')
    if (existing && existing.transactionId !== message.transactionIdHex)
      return this.#sendError(request, 437, 'Allocation Mismatch')
    const allocation = existing ?? this.#openAllocation(request)
    await allocation.listening
    const lifetime = this.#extendLifetime(allocation, message)
    const relayed: Address = [TURN_HOST, allocation.relay.address().port]
    this.#sendSuccess(request, { 'XOR-RELAYED-ADDRESS': relayed, 'XOR-MAPPED-ADDRESS': from, LIFETIME: lifetime })
  }

  #openAllocation({ message, user, from }: AuthenticatedRequest): Allocation {
    const relay = createSocket('udp4')
    const listening = once(relay, 'listening')
    const transactionId = message.transactionIdHex
    const permissions = { permittedPeers: new Set<string>(), channels: new Map<number, Address>() }
    const allocation: Allocation = {
      user,
      client: from,
      relay,
      listening,
      transactionId,
      ...permissions,
      expiry: undefined,
    }
    relay.on('message', (data, peer) => this.#relayFromPeer(allocation, data, toAddress(peer)))
    relay.bind(0, TURN_HOST)
    this.#allocations.set(formatAddress(from), allocation)
    this.allocationCount++
    return allocation
  }

  #refresh(request: AuthenticatedRequest, allocation: Allocation): void {
    const lifetime = this.#extendLifetime(allocation, request.message)
    if (lifetime === 0) this.#deleteAllocation(allocation)
    this.#sendSuccess(request, { LIFETIME: lifetime })
  }

  #extendLifetime(allocation: Allocation, message: Message): number {
    const requestedSeconds = (message.getAttributeValue('LIFETIME') as number | undefined) ?? ALLOCATION_LIFETIME_S
    const lifetime = Math.min(requestedSeconds, ALLOCATION_LIFETIME_S)
    clearTimeout(allocation.expiry)
    allocation.expiry = setTimeout(() => this.#deleteAllocation(allocation), lifetime * 1000)
    return lifetime
  }

  #deleteAllocation(allocation: Allocation): void {
    clearTimeout(allocation.expiry)
    if (this.#allocations.delete(formatAddress(allocation.client))) allocation.relay.close()
  }

  #relayChannelData(allocation: Allocation, data: Buffer): void {
    const peer = allocation.channels.get(data.readUInt16BE(0))
    if (peer) this.#sendToPeer(allocation, peer, data.subarray(4, 4 + data.readUInt16BE(2)))
  }

  #sendToPeer(allocation: Allocation, peer: Address, payload: Buffer): void {
    if (!allocation.permittedPeers.has(formatAddress(peer))) return void this.droppedDatagramCount++
    this.#countBytes(allocation, payload)
    allocation.relay.send(payload, peer[1], peer[0])
  }

  #relayFromPeer(allocation: Allocation, payload: Buffer, peer: Address): void {
    if (!allocation.permittedPeers.has(formatAddress(peer))) return void this.droppedDatagramCount++
    this.#countBytes(allocation, payload)
    const [channel] = [...allocation.channels].find(([, bound]) => formatAddress(bound) === formatAddress(peer)) ?? []
    if (channel === undefined) {
      const indication = new Message(methods.DATA, classes.INDICATION)
      return this.#sendMessage(
        allocation.client,
        indication.setAttribute('XOR-PEER-ADDRESS', peer).setAttribute('DATA', payload),
      )
    }
    const header = Buffer.alloc(4)
    header.writeUInt16BE(channel, 0)
    header.writeUInt16BE(payload.length, 2)
    this.#send(allocation.client, Buffer.concat([header, payload]))
  }

  #countBytes({ user }: Allocation, { length }: Buffer): void {
    this.#relayedBytes.set(user, this.getRelayedBytes(user) + length)
  }

  #sendSuccess(
    { message, key, from }: AuthenticatedRequest,
    attributes: Partial<Record<Attribute, unknown>> = {},
  ): void {
    const answer = new Message(message.messageMethod, classes.RESPONSE, message.transactionId)
    for (const [name, value] of Object.entries(attributes)) answer.setAttribute(name as Attribute, value)
    this.#sendMessage(from, answer.addMessageIntegrity(key).addFingerprint())
  }

  #sendError({ message, key, from }: AuthenticatedRequest, code: number, reason: string): void {
    const answer = new Message(message.messageMethod, classes.ERROR, message.transactionId)
    this.#sendMessage(from, answer.setAttribute('ERROR-CODE', [code, reason]).addMessageIntegrity(key).addFingerprint())
  }

  #sendMessage(client: Address, message: Message): void {
    this.#send(client, message.bytes)
  }

  #send(client: Address, data: Buffer): void {
    const stream = this.#streams.get(formatAddress(client))
    if (stream) stream.write(Buffer.concat([data, Buffer.alloc(-data.length & 3)]))
    else this.#socket.send(data, client[1], client[0])
  }
}

/**
 * Returns the length of the first message in TCP data (RFC 8656 §12.5), with channel data padded to four bytes. Returns
 * Infinity if fewer than four bytes have arrived.
 */
function computeFrameSize(data: Buffer): number {
  if (data.length < 4) return Infinity
  const isChannel = ((data[0] ?? 0) & 0xc0) === 0x40
  return isChannel ? (data.readUInt16BE(2) + 7) & ~3 : data.readUInt16BE(2) + 20
}

/**
 * Binds a channel to a peer. Returns false if the channel number is out of range, or if the channel or the peer already
 * has a different binding.
 */
function bindChannel({ channels }: Allocation, message: Message, peer: Address): boolean {
  const channel = message.getAttributeValue('CHANNEL-NUMBER') as number
  if (!(channel >= CHANNEL_RANGE.first && channel <= CHANNEL_RANGE.last)) return false
  const isTaken = [...channels].some(
    ([other, bound]) => (other === channel) !== (formatAddress(bound) === formatAddress(peer)),
  )
  if (!isTaken) channels.set(channel, peer)
  return !isTaken
}
