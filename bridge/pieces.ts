/** Joins stream chunks only when enough bytes have arrived, so that no byte is copied once per chunk. */
export class ChunkBuffer {
  private pieces: Buffer[] = []
  private length = 0

  /**
   * Adds a chunk. Returns all held bytes once there are `needed` or more; the caller must then pass the rest to
   * `replaceWith`.
   */
  add(piece: Buffer, needed: number): Buffer | undefined {
    this.pieces.push(piece)
    this.length += piece.length
    if (this.length < needed) return undefined
    return this.length === piece.length ? piece : Buffer.concat(this.pieces)
  }

  replaceWith(rest: Buffer): void {
    this.pieces = [rest]
    this.length = rest.length
  }
}
