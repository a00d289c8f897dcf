interface Span {
  readonly from: number
  to: number
}

/** Time spans with motion detection during the last `retentionMs`, ms UTC. */
export class MonitoredTime {
  readonly #retentionMs: number
  #spans: Span[] = []

  constructor(retentionMs: number) {
    this.#retentionMs = retentionMs
  }

  startSpan(at: number): void {
    this.#spans = [...this.#spans.filter(({ to }) => to > at - this.#retentionMs), { from: at, to: at }]
  }

  extendTo(at: number): void {
    const last = this.#spans.at(-1)
    if (last) last.to = Math.max(last.to, at)
    else this.startSpan(at)
  }

  /**
   * Returns the monitored time after `from`, ms UTC. `since`: start of the first span, null if there is no span;
   * `watched_ms`: total duration.
   */
  measureSince(from: number): { since: number | null; watched_ms: number } {
    const spans = this.#spans.filter(({ to }) => to > from)
    const watched_ms = spans.reduce((sum, span) => sum + span.to - Math.max(span.from, from), 0)
    const first = spans[0]
    return { since: first ? Math.round(Math.max(first.from, from)) : null, watched_ms: Math.round(watched_ms) }
  }
}
