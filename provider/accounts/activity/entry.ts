import type { ActivityKind } from '../../../contract/account/activity.ts'

/** What happened, as whoever lets it happen says it. Texts are names that people gave, never anything that opens something. */
export interface ActivityEvent {
  readonly kind: ActivityKind
  /** User id of who did it, null where nobody is known. */
  readonly who: string | null
  /** User id of whom it concerns, or the address of somebody who has no account yet. */
  readonly whom?: string
  /** Id of the camera. */
  readonly camera?: string
  /** See contract/account/activity.ts. */
  readonly value?: string
  /** 1 where left out. */
  readonly count?: number
  readonly clips?: number
  readonly bytes?: number
  /** What else of the same hour is the same entry: it is counted there. Left out: every one is an entry. */
  readonly same?: string
  /** Of the same, each has been counted with the first: only the time moves. */
  readonly isCounted?: boolean
  /** The same, when it is told twice in a row, counts once: several requests for the pieces of one clip. */
  readonly part?: string
}

/** Where a sign-in came from, as it is kept. */
export interface Origin {
  readonly device: string
  readonly address: string
}

/** A stored entry. */
export interface Entry extends Origin {
  readonly id: string
  /** ms UTC, the first and the last. */
  readonly at: number
  readonly until: number
  readonly kind: string
  readonly who: string | null
  readonly whom: string | null
  readonly camera: string | null
  readonly value: string
  readonly count: number
  readonly clips: number
  readonly bytes: number
}

/** What a page of a log is asked by. */
export interface ActivityQuery {
  /** Null: all. */
  readonly kinds: readonly string[] | null
  /** Id of an entry; null: from the newest. */
  readonly before: string | null
  readonly limit: number
}
