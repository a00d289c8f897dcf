/** Buffers stream chunks and joins them only when enough bytes have arrived, to avoid copying on every chunk. */
export class ChunkBuffer {
  #chunks: Buffer[] = []
  #length = 0

  /**
   * Adds a chunk. Returns all buffered bytes when there are at least `needed`, otherwise undefined. After each returned
   * buffer, the caller must pass the unused bytes to `replaceWith`, even if there are none.
   */
  add(piece: Buffer, needed: number): Buffer | undefined {
    this.#chunks.push(piece)
    this.#length += piece.length
    if (this.#length < needed) return undefined
    return this.#length === piece.length ? piece : Buffer.concat(this.#chunks)
  }

  replaceWith(rest: Buffer): void {
    this.#chunks = [rest]
    this.#length = rest.length
  }
}
