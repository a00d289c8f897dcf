import type { WatchedCamera } from '../../contract/bridge/bridge-protocol.ts'

type Kind = WatchedCamera['spans'][number][2]
interface Span {
  readonly from: number
  to: number
  readonly kind: Kind
}

/** So many are told again and again, so that a lost message loses nothing. */
const TOLD_MAX = 8

/** When motion was looked for, and when its owner did not want it, for the provider (contract/bridge/bridge-protocol.ts). Times in ms UTC. */
export class WatchLog {
  private readonly gapMs: number
  private spans: Span[] = []
  private isOpen = false

  /** Looks that are further apart than `gapMs` have nothing watched between them. */
  constructor(gapMs: number) {
    this.gapMs = gapMs
  }

  /** It was looked for motion; `motion_off`: there was no need to. */
  record(at: number, kind: Kind = 'watched'): void {
    const last = this.spans.at(-1)
    const to = Math.max(at, last?.to ?? at)
    const goesOn = last !== undefined && this.isOpen && at - last.to <= this.gapMs
    if (goesOn && last.kind === kind) last.to = to
    else this.spans = [...this.spans, { from: goesOn ? last.to : to, to, kind }].slice(-TOLD_MAX)
    this.isOpen = true
  }

  /** Nobody looks from its last moment on. */
  end(): void {
    this.isOpen = false
  }

  /** The newest; `settled`: up to when they can be vouched for while looks come, undefined: as far as they go. */
  listSpans(settled?: number): WatchedCamera['spans'] {
    return this.spans.map(({ from, to, kind }) => {
      const until = this.isOpen && kind === 'watched' ? Math.min(to, settled ?? to) : to
      return [Math.round(from), Math.round(Math.max(from, until)), kind]
    })
  }
}
