interface Span {
  readonly from: number
  to: number
}

/** When something was watched, for as long back as it is asked for. Times in ms UTC. */
export class WatchedTime {
  private readonly keptMs: number
  private spans: Span[] = []

  constructor(keptMs: number) {
    this.keptMs = keptMs
  }

  startSpan(at: number): void {
    this.spans = [...this.spans.filter(({ to }) => to > at - this.keptMs), { from: at, to: at }]
  }

  /** It was watched from its last moment up to this one. */
  until(at: number): void {
    const last = this.spans.at(-1)
    if (last) last.to = Math.max(last.to, at)
    else this.startSpan(at)
  }

  /** Since when within [from, ∞) it was watched, null: not at all, and for how long altogether. */
  since(from: number): { since: number | null; watched_ms: number } {
    const spans = this.spans.filter(({ to }) => to > from)
    const watched_ms = spans.reduce((sum, span) => sum + span.to - Math.max(span.from, from), 0)
    const first = spans[0]
    return { since: first ? Math.round(Math.max(first.from, from)) : null, watched_ms: Math.round(watched_ms) }
  }
}
