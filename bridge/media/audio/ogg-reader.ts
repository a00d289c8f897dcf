import { Pieces } from '../../pieces.ts'

/** Fixed part of a page's head (RFC 3533 §6), followed by one lacing byte a segment. */
const HEAD = 27
const CAPTURE = Buffer.from('OggS')
/** A page is at most its head, 255 lacing bytes and 255 segments of 255 bytes. */
const PAGE_MAX = HEAD + 255 + 255 * 255
/** A packet of Opus has at most 61,440 bytes (RFC 7845 §6). */
const PACKET_MAX = PAGE_MAX
/** `OpusHead` and `OpusTags` (RFC 7845 §3) come before the first packet of sound. */
const HEADERS = 2

/** Takes the Opus packets out of a live Ogg stream with one logical stream. */
export class OggReader {
  private pending: Buffer = Buffer.alloc(0)
  private readonly pieces = new Pieces()
  /** Bytes up to the end of the next page, as far as that is known. */
  private needed = HEAD
  private packet: Buffer[] = []
  private packetBytes = 0
  private seen = 0

  /** Packets that these bytes complete. Throws RangeError when they are no Ogg. */
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

  /** Bytes of the page that is pending first; undefined until it is whole. */
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

  /** A segment shorter than 255 bytes ends its packet; a packet may go on in the next page. */
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
