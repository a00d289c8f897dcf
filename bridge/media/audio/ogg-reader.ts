import { ChunkBuffer } from '../../chunk-buffer.ts'

/** Fixed part of a page header (RFC 3533 §6), followed by one lacing byte per segment. */
const PAGE_HEADER_BYTES = 27
const CAPTURE_PATTERN = Buffer.from('OggS')
/** Maximum page size: header, 255 lacing bytes and 255 segments of 255 bytes. */
const MAX_PAGE_BYTES = PAGE_HEADER_BYTES + 255 + 255 * 255
/** Maximum size of a packet, bytes: an Opus packet has at most 61,440 (RFC 7845 §6), so it fits into one page. */
const MAX_PACKET_BYTES = MAX_PAGE_BYTES
/** Number of header packets, `OpusHead` and `OpusTags` (RFC 7845 §3), before the first audio packet. */
const HEADER_PACKETS = 2

export class OggReader {
  #pending: Buffer = Buffer.alloc(0)
  readonly #chunks = new ChunkBuffer()
  /** Number of bytes that must be buffered before the reader can continue. */
  #neededBytes = PAGE_HEADER_BYTES
  #packet: Buffer[] = []
  #packetBytes = 0
  #packetCount = 0

  /**
   * Returns the audio packets that these bytes complete, without the header packets. Throws RangeError if the bytes are
   * not Ogg or a packet is too large.
   */
  push(chunk: Buffer): Buffer[] {
    const held = this.#chunks.add(chunk, this.#neededBytes)
    if (!held) return []
    this.#pending = held
    const packets: Buffer[] = []
    for (let size = this.#readPageSize(); size !== undefined; size = this.#readPageSize()) {
      this.#parsePage(this.#pending.subarray(0, size), packets)
      this.#pending = this.#pending.subarray(size)
    }
    this.#chunks.replaceWith(this.#pending)
    return packets
  }

  #readPageSize(): number | undefined {
    const data = this.#pending
    this.#neededBytes = PAGE_HEADER_BYTES
    if (data.length < PAGE_HEADER_BYTES) return undefined
    if (!data.subarray(0, 4).equals(CAPTURE_PATTERN) || data.length > 2 * MAX_PAGE_BYTES)
      throw new RangeError("this isn't an Ogg stream")
    const segmentCount = data.readUInt8(PAGE_HEADER_BYTES - 1)
    this.#neededBytes = PAGE_HEADER_BYTES + segmentCount
    if (data.length < this.#neededBytes) return undefined
    const size = data
      .subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + segmentCount)
      .reduce((sum, segmentSize) => sum + segmentSize, PAGE_HEADER_BYTES + segmentCount)
    this.#neededBytes = size
    return data.length < size ? undefined : size
  }

  /**
   * Collects the packets of a page. After a segment of 255 bytes, the packet continues in the next segment, which may
   * be on the next page.
   */
  #parsePage(page: Buffer, packets: Buffer[]): void {
    const segments = page.readUInt8(PAGE_HEADER_BYTES - 1)
    let at = PAGE_HEADER_BYTES + segments
    for (const length of page.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + segments)) {
      this.#packet.push(page.subarray(at, at + length))
      at += length
      this.#packetBytes += length
      if (this.#packetBytes > MAX_PACKET_BYTES) throw new RangeError('a packet is too large')
      if (length === 255) continue
      if (this.#packetCount++ >= HEADER_PACKETS) packets.push(Buffer.concat(this.#packet))
      this.#packet = []
      this.#packetBytes = 0
    }
  }
}
