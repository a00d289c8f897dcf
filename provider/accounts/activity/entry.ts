import type { ActivityKind } from '../../../contract/account/activity.ts'

/** Event as its caller records it. Texts are names that people chose, never credentials. */
export interface ActivityEvent {
  readonly kind: ActivityKind
  /** User id of the actor; null if unknown. */
  readonly who: string | null
  /** User id of the affected account, or an email address that has no account yet. */
  readonly whom?: string
  readonly camera?: string
  /** See contract/account/activity.ts. */
  readonly value?: string
  /** 1 if omitted. */
  readonly count?: number
  readonly clips?: number
  readonly bytes?: number
  /** Groups events of the same hour into one entry, which counts them. Omitted: each event is its own entry. */
  readonly same?: string
  /** True if the first event of the group has counted all of them: later ones only move the time. */
  readonly isCounted?: boolean
  /** Consecutive events with the same part count once: several requests for ranges of one clip. */
  readonly part?: string
}

/** Stored client info of a sign-in. */
export interface Origin {
  readonly device: string
  readonly address: string
}

export interface Entry extends Origin {
  readonly id: string
  /** First and last time, ms UTC. */
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

export interface ActivityQuery {
  /** Null: all. */
  readonly kinds: readonly string[] | null
  /** Id of an entry; null: from the newest. */
  readonly before: string | null
  readonly limit: number
}
