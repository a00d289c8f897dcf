import type { WatchedCamera } from '../../contract/bridge/bridge-protocol.ts'

type Kind = WatchedCamera['spans'][number][2]
interface Span {
  readonly from: number
  to: number
  readonly kind: Kind
}

/** Maximum number of spans in each report. Reports repeat older spans, so a lost report does no harm. */
const TOLD_MAX = 8

/**
 * Records when motion detection ran, and when the owner had it off, for the provider
 * (contract/bridge/bridge-protocol.ts). Times in ms UTC.
 */
export class WatchLog {
  private readonly gapMs: number
  private spans: Span[] = []
  private isOpen = false

  /** `gapMs`: maximum time between two samples; a longer time leaves a coverage gap. */
  constructor(gapMs: number) {
    this.gapMs = gapMs
  }

  /** Records that motion detection ran at `at`, or that it was off (`motion_off`). */
  record(at: number, kind: Kind = 'watched'): void {
    const last = this.spans.at(-1)
    const to = Math.max(at, last?.to ?? at)
    const goesOn = last !== undefined && this.isOpen && at - last.to <= this.gapMs
    if (goesOn && last.kind === kind) last.to = to
    else this.spans = [...this.spans, { from: goesOn ? last.to : to, to, kind }].slice(-TOLD_MAX)
    this.isOpen = true
  }

  end(): void {
    this.isOpen = false
  }

  /**
   * Returns the newest spans. An open span ends at `settled` at the latest: up to that time, it is certain which
   * recordings exist. Undefined: no limit.
   */
  listSpans(settled?: number): WatchedCamera['spans'] {
    return this.spans.map(({ from, to, kind }) => {
      const until = this.isOpen && kind === 'watched' ? Math.min(to, settled ?? to) : to
      return [Math.round(from), Math.round(Math.max(from, until)), kind]
    })
  }
}
