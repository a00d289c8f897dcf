/** Joins the pieces of a stream only when enough of them have come, so that no byte is copied again for each piece. */
export class Pieces {
  private pieces: Buffer[] = []
  private length = 0

  /** Adds a piece. Returns all bytes that are held once they are `needed` or more; then say by `keep` what is left of them. */
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
