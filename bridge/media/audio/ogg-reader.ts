import { ChunkBuffer } from '../../pieces.ts'

/** Fixed part of a page header (RFC 3533 §6), followed by one lacing byte per segment. */
const HEAD = 27
const CAPTURE = Buffer.from('OggS')
/** Maximum page size: header, 255 lacing bytes and 255 segments of 255 bytes. */
const PAGE_MAX = HEAD + 255 + 255 * 255
/** Maximum size of a packet, bytes: an Opus packet has at most 61,440 (RFC 7845 §6), so it fits into one page. */
const PACKET_MAX = PAGE_MAX
/** Number of header packets, `OpusHead` and `OpusTags` (RFC 7845 §3), before the first audio packet. */
const HEADERS = 2

export class OggReader {
  private pending: Buffer = Buffer.alloc(0)
  private readonly pieces = new ChunkBuffer()
  /** Bytes needed to complete the next page, as known so far. */
  private needed = HEAD
  private packet: Buffer[] = []
  private packetBytes = 0
  private seen = 0

  /** Returns the packets that these bytes complete. Throws RangeError if they are not Ogg. */
  push(chunk: Buffer): Buffer[] {
    const held = this.pieces.add(chunk, this.needed)
    if (!held) return []
    this.pending = held
    const packets: Buffer[] = []
    for (let size = this.pageSize(); size !== undefined; size = this.pageSize()) {
      this.page(this.pending.subarray(0, size), packets)
      this.pending = this.pending.subarray(size)
    }
    this.pieces.replaceWith(this.pending)
    return packets
  }

  /** Returns the size of the first pending page in bytes; undefined until it is complete. */
  private pageSize(): number | undefined {
    const data = this.pending
    this.needed = HEAD
    if (data.length < HEAD) return undefined
    if (!data.subarray(0, 4).equals(CAPTURE) || data.length > 2 * PAGE_MAX)
      throw new RangeError('this is no Ogg stream')
    const segments = data.readUInt8(HEAD - 1)
    this.needed = HEAD + segments
    if (data.length < this.needed) return undefined
    const size = data.subarray(HEAD, HEAD + segments).reduce((sum, segmentSize) => sum + segmentSize, HEAD + segments)
    this.needed = size
    return data.length < size ? undefined : size
  }

  /** A segment shorter than 255 bytes ends its packet; a packet may continue on the next page. */
  private page(page: Buffer, packets: Buffer[]): void {
    const segments = page.readUInt8(HEAD - 1)
    let at = HEAD + segments
    for (const length of page.subarray(HEAD, HEAD + segments)) {
      this.packet.push(page.subarray(at, at + length))
      at += length
      this.packetBytes += length
      if (this.packetBytes > PACKET_MAX) throw new RangeError('a packet is too large')
      if (length === 255) continue
      if (this.seen++ >= HEADERS) packets.push(Buffer.concat(this.packet))
      this.packet = []
      this.packetBytes = 0
    }
  }
}
