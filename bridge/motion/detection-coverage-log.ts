import type { CameraCoverage } from '../../contract/bridge/detection-coverage.ts'

type SpanKind = CameraCoverage['spans'][number][2]
interface Span {
  readonly from: number
  to: number
  readonly kind: SpanKind
}

/** Maximum number of spans per report. Each report repeats earlier spans, so that a lost report leaves no gap. */
const MAX_REPORTED_SPANS = 8

/** Time spans in which motion detection ran or was switched off by the owner, ms UTC; reported to the provider. */
export class DetectionCoverageLog {
  readonly #gapMs: number
  #spans: Span[] = []
  #isOpen = false

  /** `gapMs`: maximum time between two samples of one span; a longer pause is a coverage gap. */
  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  /** Records that motion detection ran at `at` or, for `motion_off`, that the owner had switched it off. */
  record(at: number, kind: SpanKind = 'watched'): void {
    const last = this.#spans.at(-1)
    const to = Math.max(at, last?.to ?? at)
    const isContinuous = last !== undefined && this.#isOpen && at - last.to <= this.#gapMs
    if (isContinuous && last.kind === kind) last.to = to
    else this.#spans = [...this.#spans, { from: isContinuous ? last.to : to, to, kind }].slice(-MAX_REPORTED_SPANS)
    this.#isOpen = true
  }

  end(): void {
    this.#isOpen = false
  }

  /**
   * Returns the newest spans. Cuts an open `watched` span at `settledUntil` (undefined: no limit), because motion after
   * that time may still become a recording.
   */
  listSpans(settledUntil?: number): CameraCoverage['spans'] {
    return this.#spans.map(({ from, to, kind }) => {
      const until = this.#isOpen && kind === 'watched' ? Math.min(to, settledUntil ?? to) : to
      return [Math.round(from), Math.round(Math.max(from, until)), kind]
    })
  }
}
