/** Retry delays in ms: double from `first` up to `most`, until reset. */
export class BackOff {
  private readonly first: number
  private readonly most: number
  private wait: number

  constructor(first: number, max: number) {
    this.first = first
    this.most = max
    this.wait = first
  }

  next(): number {
    const wait = this.wait
    this.wait = Math.min(this.most, wait * 2)
    return wait
  }

  reset(): void {
    this.wait = this.first
  }
}
