import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket as Stream } from 'node:net'
import { classes, makeIntegrityKey, Message, methods, parseMessage } from 'werift'

const HOST = '127.0.0.1'
const REALM = 'porchlight.test'
const UDP = 0x11000000
const LIFETIME_S = 600
const CHANNELS = { first: 0x4000, last: 0x7ffe }

type Address = [host: string, port: number]
type Users = Readonly<Record<string, string>>
type Attribute = Parameters<Message['setAttribute']>[0]

/** Allocation of one client (RFC 8656): its relay socket, permissions and channels. */
interface Allocation {
  readonly user: string
  readonly client: Address
  readonly relay: Socket
  readonly listening: Promise<unknown>
  /** Transaction id of the request that created the allocation. It identifies a retransmission of that request. */
  readonly transaction: string
  readonly permitted: Set<string>
  readonly channels: Map<number, Address>
  expiry: NodeJS.Timeout | undefined
}

interface Request {
  readonly message: Message
  readonly user: string
  readonly key: Buffer
  readonly from: Address
}

const named = ([host, port]: Address) => `${host}:${port}`
const toAddress = ({ address, port }: RemoteInfo): Address => [address, port]

/**
 * Local TURN server (RFC 8656) over UDP and TCP, with long-term credentials. Its permissions include the port, because
 * all peers on one machine share a host: a check of the host alone would reject none.
 */
export class TurnServer {
  allocated = 0
  /** Number of requests with wrong credentials. */
  refused = 0
  /** Number of datagrams, from or to peers, that were dropped because the peer has no permission. */
  dropped = 0
  private readonly users: Users
  private readonly socket = createSocket('udp4')
  private readonly server = createServer((stream) => this.opened(stream))
  /** Clients connected over TCP. */
  private readonly streams = new Map<string, Stream>()
  private readonly nonce = Buffer.from(crypto.randomUUID())
  private readonly allocations = new Map<string, Allocation>()
  private readonly bytes = new Map<string, number>()

  private constructor(users: Users) {
    this.users = users
    this.socket.on('message', (data, from) => this.received(data, toAddress(from)))
  }

  static async open(users: Users): Promise<TurnServer> {
    const server = new TurnServer(users)
    server.socket.bind(0, HOST)
    await once(server.socket, 'listening')
    server.server.listen(0, HOST)
    await once(server.server, 'listening')
    return server
  }

  get url(): string {
    return `turn:${named([HOST, this.socket.address().port])}?transport=udp`
  }

  get tcpUrl(): string {
    return `turn:${named([HOST, (this.server.address() as AddressInfo).port])}?transport=tcp`
  }

  /** Bytes relayed by a user's allocations, both directions. */
  relayed(user: string): number {
    return this.bytes.get(user) ?? 0
  }

  close(): void {
    for (const allocation of this.allocations.values()) this.drop(allocation)
    for (const stream of this.streams.values()) stream.destroy()
    this.server.close()
    this.socket.close()
  }

  private opened(stream: Stream): void {
    const from: Address = [stream.remoteAddress ?? HOST, stream.remotePort ?? 0]
    let rest: Buffer = Buffer.alloc(0)
    this.streams.set(named(from), stream)
    stream.on('error', () => undefined)
    stream.on('close', () => {
      this.streams.delete(named(from))
      const allocation = this.allocations.get(named(from))
      if (allocation) this.drop(allocation)
    })
    stream.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data])
      for (let size = frameSize(rest); size <= rest.length; size = frameSize(rest)) {
        this.received(rest.subarray(0, size), from)
        rest = rest.subarray(size)
      }
    })
  }

  private received(data: Buffer, from: Address): void {
    const allocation = this.allocations.get(named(from))
    if (((data[0] ?? 0) & 0xc0) === 0x40) return allocation && this.fromChannel(allocation, data)
    const message = parseMessage(data)
    if (message?.messageClass === classes.INDICATION && message.messageMethod === methods.SEND) {
      const peer = message.getAttributeValue('XOR-PEER-ADDRESS') as Address
      const payload = message.getAttributeValue('DATA') as Buffer
      return allocation && this.toPeer(allocation, peer, payload)
    }
    if (message?.messageClass !== classes.REQUEST) return
    if (message.messageMethod === methods.BINDING) {
      const answer = new Message(methods.BINDING, classes.RESPONSE, message.transactionId)
      return this.sendMessage(from, answer.setAttribute('XOR-MAPPED-ADDRESS', from))
    }
    const request = this.authenticate(message, data, from)
    if (request) void this.obey(request, allocation)
  }

  /**
   * Returns the request if its nonce is current and its password is correct. Otherwise, answers 401 with realm and
   * nonce, and returns undefined.
   */
  private authenticate(message: Message, data: Buffer, from: Address): Request | undefined {
    const user = String(message.getAttributeValue('USERNAME') ?? '')
    const password = this.users[user]
    const nonce = message.getAttributeValue('NONCE') as Buffer | undefined
    const key = password === undefined ? undefined : makeIntegrityKey(user, REALM, password)
    if (key && nonce?.equals(this.nonce) && parseMessage(data, key)) return { message, user, key, from }
    if (nonce) this.refused++
    const answer = new Message(message.messageMethod, classes.ERROR, message.transactionId)
    answer.setAttribute('ERROR-CODE', [401, 'Unauthorized'])
    this.sendMessage(from, answer.setAttribute('REALM', REALM).setAttribute('NONCE', this.nonce))
    return undefined
  }

  private obey(request: Request, allocation: Allocation | undefined): void | Promise<void> {
    const { message, user } = request
    if (message.messageMethod === methods.ALLOCATE) return this.allocate(request, allocation)
    if (!allocation) return this.refuse(request, 437, 'Allocation Mismatch')
    if (allocation.user !== user) return this.refuse(request, 441, 'Wrong Credentials')
    if (message.messageMethod === methods.REFRESH) return this.refresh(request, allocation)
    const peer = message.getAttributeValue('XOR-PEER-ADDRESS') as Address | undefined
    if (!peer) return this.refuse(request, 400, 'Bad Request')
    if (message.messageMethod === methods.CHANNEL_BIND && !bind(allocation, message, peer))
      return this.refuse(request, 400, 'Bad Request')
    allocation.permitted.add(named(peer))
    this.grant(request)
  }

  private async allocate(request: Request, present: Allocation | undefined): Promise<void> {
    const { message, from } = request
    if (message.getAttributeValue('REQUESTED-TRANSPORT') !== UDP)
      return this.refuse(request, 442, 'Unsupported Transport Protocol')
    if (present && present.transaction !== message.transactionIdHex)
      return this.refuse(request, 437, 'Allocation Mismatch')
    const allocation = present ?? this.open(request)
    await allocation.listening
    const lifetime = this.extend(allocation, message)
    const relayed: Address = [HOST, allocation.relay.address().port]
    this.grant(request, { 'XOR-RELAYED-ADDRESS': relayed, 'XOR-MAPPED-ADDRESS': from, LIFETIME: lifetime })
  }

  private open({ message, user, from }: Request): Allocation {
    const relay = createSocket('udp4')
    const listening = once(relay, 'listening')
    const transaction = message.transactionIdHex
    const permissions = { permitted: new Set<string>(), channels: new Map<number, Address>() }
    const allocation: Allocation = {
      user,
      client: from,
      relay,
      listening,
      transaction,
      ...permissions,
      expiry: undefined,
    }
    relay.on('message', (data, peer) => this.fromPeer(allocation, data, toAddress(peer)))
    relay.bind(0, HOST)
    this.allocations.set(named(from), allocation)
    this.allocated++
    return allocation
  }

  private refresh(request: Request, allocation: Allocation): void {
    const lifetime = this.extend(allocation, request.message)
    if (lifetime === 0) this.drop(allocation)
    this.grant(request, { LIFETIME: lifetime })
  }

  private extend(allocation: Allocation, message: Message): number {
    const requestedSeconds = (message.getAttributeValue('LIFETIME') as number | undefined) ?? LIFETIME_S
    const lifetime = Math.min(requestedSeconds, LIFETIME_S)
    clearTimeout(allocation.expiry)
    allocation.expiry = setTimeout(() => this.drop(allocation), lifetime * 1000)
    return lifetime
  }

  private drop(allocation: Allocation): void {
    clearTimeout(allocation.expiry)
    if (this.allocations.delete(named(allocation.client))) allocation.relay.close()
  }

  private fromChannel(allocation: Allocation, data: Buffer): void {
    const peer = allocation.channels.get(data.readUInt16BE(0))
    if (peer) this.toPeer(allocation, peer, data.subarray(4, 4 + data.readUInt16BE(2)))
  }

  private toPeer(allocation: Allocation, peer: Address, payload: Buffer): void {
    if (!allocation.permitted.has(named(peer))) return void this.dropped++
    this.count(allocation, payload)
    allocation.relay.send(payload, peer[1], peer[0])
  }

  private fromPeer(allocation: Allocation, payload: Buffer, peer: Address): void {
    if (!allocation.permitted.has(named(peer))) return void this.dropped++
    this.count(allocation, payload)
    const [channel] = [...allocation.channels].find(([, bound]) => named(bound) === named(peer)) ?? []
    if (channel === undefined) {
      const indication = new Message(methods.DATA, classes.INDICATION)
      return this.sendMessage(
        allocation.client,
        indication.setAttribute('XOR-PEER-ADDRESS', peer).setAttribute('DATA', payload),
      )
    }
    const header = Buffer.alloc(4)
    header.writeUInt16BE(channel, 0)
    header.writeUInt16BE(payload.length, 2)
    this.send(allocation.client, Buffer.concat([header, payload]))
  }

  private count({ user }: Allocation, { length }: Buffer): void {
    this.bytes.set(user, this.relayed(user) + length)
  }

  private grant({ message, key, from }: Request, attributes: Partial<Record<Attribute, unknown>> = {}): void {
    const answer = new Message(message.messageMethod, classes.RESPONSE, message.transactionId)
    for (const [name, value] of Object.entries(attributes)) answer.setAttribute(name as Attribute, value)
    this.sendMessage(from, answer.addMessageIntegrity(key).addFingerprint())
  }

  private refuse({ message, key, from }: Request, code: number, reason: string): void {
    const answer = new Message(message.messageMethod, classes.ERROR, message.transactionId)
    this.sendMessage(from, answer.setAttribute('ERROR-CODE', [code, reason]).addMessageIntegrity(key).addFingerprint())
  }

  private sendMessage(client: Address, message: Message): void {
    this.send(client, message.bytes)
  }

  private send(client: Address, data: Buffer): void {
    const stream = this.streams.get(named(client))
    if (stream) stream.write(Buffer.concat([data, Buffer.alloc(-data.length & 3)]))
    else this.socket.send(data, client[1], client[0])
  }
}

/**
 * Returns the length of the first message in TCP data (RFC 8656 §12.5), with channel data padded to four bytes. Returns
 * Infinity if fewer than four bytes have arrived.
 */
function frameSize(data: Buffer): number {
  if (data.length < 4) return Infinity
  const isChannel = ((data[0] ?? 0) & 0xc0) === 0x40
  return isChannel ? (data.readUInt16BE(2) + 7) & ~3 : data.readUInt16BE(2) + 20
}

/**
 * Binds a channel to a peer. Returns false if the channel number is out of range, or if the channel or the peer already
 * has a different binding.
 */
function bind({ channels }: Allocation, message: Message, peer: Address): boolean {
  const channel = message.getAttributeValue('CHANNEL-NUMBER') as number
  if (!(channel >= CHANNELS.first && channel <= CHANNELS.last)) return false
  const isTaken = [...channels].some(([other, bound]) => (other === channel) !== (named(bound) === named(peer)))
  if (!isTaken) channels.set(channel, peer)
  return !isTaken
}
