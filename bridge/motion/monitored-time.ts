interface Span {
  readonly from: number
  to: number
}

/** Tracks the monitored time within the retention window. Times in ms UTC. */
export class WatchedTime {
  private readonly keptMs: number
  private spans: Span[] = []

  constructor(keptMs: number) {
    this.keptMs = keptMs
  }

  startSpan(at: number): void {
    this.spans = [...this.spans.filter(({ to }) => to > at - this.keptMs), { from: at, to: at }]
  }

  until(at: number): void {
    const last = this.spans.at(-1)
    if (last) last.to = Math.max(last.to, at)
    else this.startSpan(at)
  }

  /**
   * Returns the start of monitoring at or after `from` (null if there was none), and the total monitored time since
   * `from`, ms.
   */
  since(from: number): { since: number | null; watched_ms: number } {
    const spans = this.spans.filter(({ to }) => to > from)
    const watched_ms = spans.reduce((sum, span) => sum + span.to - Math.max(span.from, from), 0)
    const first = spans[0]
    return { since: first ? Math.round(Math.max(first.from, from)) : null, watched_ms: Math.round(watched_ms) }
  }
}
